// The dialog Save as: a file name in the folder; its extension sets the format.

import { html } from "lit-html";
import { folder, documentState, placeOf } from "../state/document";
import { send } from "../wire/socket";
import { ask, openDialog } from "../controls/dialog";
import { onceSaved } from "./onceSaved";

/** A name for a project file: the document's own, without its old ending. */
export function projectName(name: string): string {
  const bare = name
    .replace(/\.(arc\.glb|arc|glb|gltf|bvh|obj)$/i, "")
    .replace(/[\\/:*?"<>|]+/g, "-");
  return `${bare || "untitled"}.arc.glb`;
}

/** What was typed, with an ending the studio can write. */
export function withEnding(typed: string): string {
  const name = typed.trim();
  return /\.(arc\.glb|arc|glb|gltf|bvh)$/i.test(name) ? name : `${name}.arc.glb`;
}

export function openSaveAs(then?: () => void): void {
  send({ type: "ListFolder", folder: folder.peek()?.folder ?? "" });
  openDialog({
    name: "saveas",
    title: "Save as",
    body: (close) =>
      html`<form @submit=${(event: SubmitEvent) => submit(event, close, then)}>
        <label class="stacked">
          <span>File name, in the folder ${placeOf(folder.value?.folder ?? "")}</span>
          <input
            name="name"
            autofocus
            autocomplete="off"
            spellcheck="false"
            .value=${projectName(documentState.peek()?.name ?? "")}
            @focus=${selectBare}
          />
        </label>
        <p class="quiet">
          <b>.arc.glb</b> keeps everything and plays in any glTF viewer. <b>.glb</b> and <b>.bvh</b>
          keep the motion, not constraints, handles or recordings.
        </p>
        <footer>
          <button type="submit" class="main">Save</button>
          <button type="button" @click=${close}>Cancel</button>
        </footer>
      </form>`,
  });
}

function selectBare(event: Event): void {
  const input = event.target as HTMLInputElement;
  const dot = input.value.indexOf(".");
  input.setSelectionRange(0, dot < 0 ? input.value.length : dot);
}

function submit(event: SubmitEvent, close: () => void, then?: () => void): void {
  event.preventDefault();
  const typed = new FormData(event.target as HTMLFormElement).get("name");
  if (typeof typed !== "string" || !typed.trim()) return;
  const name = inFolder(withEnding(typed));
  const write = (replace: boolean) => {
    close();
    onceSaved(then);
    send({ type: "Save", name, replace });
  };
  const there = folder.peek()?.entries.some((each) => each.name === withEnding(typed));
  if (!there || name === documentState.peek()?.path) return write(false);
  ask(`Replace ${withEnding(typed)}?`, "A file with this name already exists in the folder.", [
    { label: "Replace", run: () => write(true) },
    { label: "Cancel", main: true },
  ]);
}

function inFolder(name: string): string {
  const at = folder.peek()?.folder;
  return at ? `${at}/${name}` : name;
}
