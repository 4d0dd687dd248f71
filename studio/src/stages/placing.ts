// Taps on the picture: the ground under the puppet, real props and virtual ones.

import { signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import type { Stage } from "../viewport/stage";
import { kept } from "../state/view";
import { toast } from "../state/receive";
import { isLive } from "./background";
import {
  bodySize,
  cameraHeight,
  cameraPitch,
  narratorPlace,
  progress,
  props,
  puppetPlace,
  shown,
  sight,
} from "./game";
import { groundAt, sightOf, type Tap } from "./ground";
import { cameraPose, recentre, stillPitch } from "./leading";
import {
  REAL_SHAPES,
  VIRTUAL_SHAPES,
  isReal,
  unlock,
  type StageProp,
  type VirtualShape,
} from "./stages";

const [REAL_SIZE, VIRTUAL_SIZE] = [0.3, 0.45]; // body heights
const NARRATOR = { right: 0.42, away: 0.75 }; // body heights from the puppet's first place

const groundTap = kept<Tap>("stages_tap", [0, -0.35]);
const taps = signal<"ground" | "prop">("ground"); // in the first stage
const nextShape = signal<VirtualShape>("tree");
const chosenProp = signal(-1);

export function startPlacing(stage: Stage): void {
  stage.canvas.addEventListener("click", ({ offsetX, offsetY }) => {
    const { x, y } = stage.orbit.size;
    const tap: Tap = [(2 * offsetX) / x - 1, 1 - (2 * offsetY) / y];
    if (shown.peek() === "place" && (taps.peek() === "ground" || !sight.peek()))
      placeGround(stage, tap);
    else if (shown.peek() === "place") placeProp(stage, tap, "box");
    else if (shown.peek() === "mixed") placeProp(stage, tap, nextShape.peek());
  });
}

function lensOf({ orbit: { camera } }: Stage) {
  return { fov: camera.fov, aspect: camera.aspect };
}

/** The puppet stands where the picture was tapped, and the narrator beside it. */
function placeGround(stage: Stage, tap: Tap): void {
  const feet = puppetPlace();
  if (!feet) return toast("The character is still loading.", "info");
  const size = bodySize.peek();
  const yaw = stage.opening.facing;
  const held = { height: cameraHeight.peek() * size, yaw, pitch: stillPitch() };
  const found = sightOf(feet, tap, lensOf(stage), held);
  if (!found) return toast("Tap the ground, below the horizon.", "warning");
  const [right, away] = [NARRATOR.right * size, NARRATOR.away * size];
  groundTap.value = tap;
  sight.value = found;
  narratorPlace.value = [
    feet[0] + right * Math.cos(yaw) - away * Math.sin(yaw),
    0,
    feet[2] - right * Math.sin(yaw) - away * Math.cos(yaw),
  ];
  recentre();
  progress.value = unlock(progress.peek());
}

function placeProp(stage: Stage, tap: Tap, shape: StageProp["shape"]): void {
  const place = groundAt(cameraPose(), tap, lensOf(stage));
  if (!place) return toast("Tap where it stands on the ground.", "warning");
  const size = (shown.peek() === "place" ? REAL_SIZE : VIRTUAL_SIZE) * bodySize.peek();
  const count = props.peek().filter((each) => each.shape === shape).length + 1;
  const name = `${shape[0]!.toUpperCase()}${shape.slice(1)} ${count}`;
  props.value = [...props.peek(), { name, shape, place, size, visited: false }];
  chosenProp.value = props.peek().length - 1;
}

export function placePanel(stage: Stage): TemplateResult {
  const again = () => sight.peek() && placeGround(stage, groundTap.peek());
  const text = !sight.value
    ? "Tap the ground where the puppet is to stand."
    : taps.value === "ground"
      ? "Tap elsewhere to move it, or mark real things in the picture."
      : "Tap where a real thing stands on the ground.";
  return html`<p>${text}</p>
    <div class="switch" role="radiogroup" aria-label="A tap sets">
      ${(["ground", "prop"] as const).map(
        (each) =>
          html`<button
            role="radio"
            aria-checked=${taps.value === each}
            ?disabled=${!sight.value}
            @click=${() => (taps.value = each)}
          >
            ${each === "ground" ? "Ground" : "Real prop"}
          </button>`,
      )}
    </div>
    ${
      taps.value === "prop" && sight.value
        ? propPanel(isReal)
        : html`${slider("Camera height", cameraHeight.value, [0.4, 4], (value) => {
            cameraHeight.value = value;
            again();
          })}
          ${
            isLive.value && stillPitch() !== cameraPitch.value
              ? nothing
              : slider("Horizon", -cameraPitch.value, [-0.3, 0.8], (value) => {
                  cameraPitch.value = -value;
                  again();
                })
          }`
    }`;
}

export function mixedPanel(): TemplateResult {
  return html`<div class="switch" role="radiogroup" aria-label="Virtual prop">
      ${VIRTUAL_SHAPES.map(
        (each) =>
          html`<button
            role="radio"
            aria-checked=${nextShape.value === each}
            @click=${() => (nextShape.value = each)}
          >
            ${each}
          </button>`,
      )}
    </div>
    <ul class="stages-visits">
      ${props.value.map((each) => html`<li data-visited=${each.visited}>${each.name}</li>`)}
    </ul>`;
}

/** The prop that was tapped last: its name, shape and size. */
function propPanel(fits: (each: StageProp) => boolean): TemplateResult | typeof nothing {
  const at = chosenProp.value;
  const prop = props.value[at];
  if (!prop || !fits(prop)) return nothing;
  const change = (by: Partial<StageProp>) =>
    (props.value = props.peek().map((each, i) => (i === at ? { ...each, ...by } : each)));
  return html`<div class="stages-prop">
      <input
        aria-label="Name"
        maxlength="24"
        .value=${prop.name}
        @change=${(event: Event) => change({ name: (event.target as HTMLInputElement).value })}
      />
      <button
        @click=${() => change({ shape: REAL_SHAPES[prop.shape === "box" ? 1 : 0] })}
        aria-label="Shape"
      >
        ${prop.shape}
      </button>
      <button @click=${() => (props.value = props.peek().filter((_, i) => i !== at))}>
        Remove
      </button>
    </div>
    ${slider("Size", prop.size / bodySize.value, [0.1, 1], (value) =>
      change({ size: value * bodySize.peek() }),
    )}`;
}

function slider(
  label: string,
  value: number,
  [low, high]: readonly [number, number],
  set: (value: number) => void,
): TemplateResult {
  return html`<label class="stages-slider"
    ><span>${label}</span
    ><input
      type="range"
      min=${low}
      max=${high}
      step="0.01"
      .value=${String(value)}
      @input=${(event: Event) => set(Number((event.target as HTMLInputElement).value))}
  /></label>`;
}
