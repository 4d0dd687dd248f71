// Export: files from the server, images and videos from the viewport.

import { signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { documentState } from "../state/document";
import { toast } from "../state/receive";
import { character, take } from "../state/view";
import { filmedFrames } from "../viewport/filmSettings";
import { recordGif, recordVideo, snapshot } from "../viewport/video";
import { send } from "../wire/socket";
import { openDialog } from "../controls/dialog";
import { filmFields } from "./filmFields";

type Kind = "arc" | "glb" | "bvh" | "png" | "gif" | "webm" | "mp4";

const KINDS: { kind: Kind; label: string; help: string }[] = [
  {
    kind: "arc",
    label: "Project, .arc.glb",
    help: "Everything: keys, handles, pins, contacts. Plays in any glTF viewer.",
  },
  { kind: "glb", label: "glTF, .glb", help: "Characters, props and motion, for other programs." },
  { kind: "bvh", label: "BVH, .bvh", help: "This take of this character, a row for each frame." },
  { kind: "png", label: "Image, .png", help: "The viewport as it is now." },
  { kind: "mp4", label: "Video, .mp4", help: "For any player and for editing." },
  { kind: "webm", label: "Video, .webm", help: "For the web, smaller." },
  { kind: "gif", label: "Video, .gif", help: "Loops by itself; at most 720 px wide." },
];

/** How far a film is; null when none is made. */
export const filming = signal<{ label: string; share: number; cancel: () => void } | null>(null);

/** Thrown into a film that was cancelled. */
const CANCELLED = new Error("cancelled");

const chosen = signal<Kind>("glb");

export function openExport(): void {
  openDialog({
    name: "export",
    title: "Export",
    body: (close) =>
      html`<div class="choices" role="radiogroup" aria-label="Format">${KINDS.map(choice)}</div>
        ${isPicture(chosen.value) ? filmFields(chosen.value !== "png") : nothing}
        <p class="quiet">${about(chosen.value)}</p>
        <footer>
          <button
            class="main"
            autofocus
            @click=${() => {
              close();
              void make(chosen.peek());
            }}
          >
            Export
          </button>
          <button @click=${close}>Cancel</button>
        </footer>`,
  });
}

function choice(each: (typeof KINDS)[number]): TemplateResult {
  return html`<label class="choice">
    <input
      type="radio"
      name="format"
      .checked=${chosen.value === each.kind}
      @change=${() => (chosen.value = each.kind)}
    />
    <span>${each.label}<small>${each.help}</small></span>
  </label>`;
}

function about(kind: Kind): string {
  const [first, last] = filmedFrames();
  if (kind === "png") return "The frame that is shown.";
  if (isPicture(kind)) return `Frames ${Math.round(first)} to ${Math.round(last)}.`;
  return kind === "bvh" ? `${character.value}, ${take.value}` : (documentState.value?.name ?? "");
}

async function make(kind: Kind): Promise<void> {
  if (kind === "arc" || kind === "glb" || kind === "bvh") {
    send({ type: "Export", format: kind, character: character.peek(), take: take.peek() });
    return;
  }
  try {
    download(await film(kind), `${bareName()}.${kind}`);
  } catch (trouble) {
    if (trouble === CANCELLED) return;
    const why = trouble instanceof Error ? trouble.message : String(trouble);
    toast(`The ${kind.toUpperCase()} could not be made: ${why}`, "error");
  } finally {
    filming.value = null;
  }
}

function isPicture(kind: Kind): kind is "png" | "gif" | "webm" | "mp4" {
  return !["arc", "glb", "bvh"].includes(kind);
}

function film(kind: "png" | "gif" | "webm" | "mp4"): Promise<Blob> {
  if (kind === "png") return snapshot();
  const label = `Rendering ${kind.toUpperCase()}`;
  let off = false;
  const cancel = () => (off = true);
  const report = (share: number) => {
    if (off) throw CANCELLED;
    filming.value = { label, share, cancel };
  };
  report(0);
  return kind === "gif" ? recordGif(report) : recordVideo(kind, report);
}

function bareName(): string {
  const name = (documentState.peek()?.name ?? "arcwright").replace(/\.(arc\.glb|\w+)$/i, "");
  const whole = name.includes(take.peek()) ? name : `${name}-${take.peek()}`;
  return whole.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/-$/, "");
}

function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
