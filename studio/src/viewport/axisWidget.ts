// The axis widget: where the world's axes point on the screen; a click looks along one of them.

import { html, svg, render } from "lit-html";
import type { Vector3 } from "three";
import { AXES } from "./gizmoAxes";
import type { Orbit } from "./orbit";
import { AXIS_COLOURS } from "./theme";

const SIZE = 76; // px
const REACH = 26; // px from the middle to a ball
const VIEWS = [
  { axis: 0, way: 1, yaw: Math.PI / 2, pitch: 0, label: "Right view, along −X" },
  { axis: 0, way: -1, yaw: -Math.PI / 2, pitch: 0, label: "Left view, along X" },
  { axis: 1, way: 1, yaw: 0, pitch: Math.PI / 2 - 0.001, label: "Top view, along −Y" },
  { axis: 1, way: -1, yaw: 0, pitch: 0.001 - Math.PI / 2, label: "Bottom view, along Y" },
  { axis: 2, way: 1, yaw: 0, pitch: 0, label: "Front view, along −Z" },
  { axis: 2, way: -1, yaw: Math.PI, pitch: 0, label: "Back view, along Z" },
];

export class AxisWidget {
  private readonly place = document.createElement("div");
  private drawn = "";

  constructor(
    stage: HTMLElement,
    private readonly orbit: Orbit,
  ) {
    this.place.className = "axis-widget";
    this.place.setAttribute("role", "group");
    this.place.setAttribute("aria-label", "Views along the axes");
    stage.append(this.place);
  }

  update(): void {
    const turn = this.orbit.camera.quaternion.clone().invert();
    const key = [...turn.toArray(), this.orbit.flat].join();
    if (key === this.drawn) return;
    this.drawn = key;
    const balls = VIEWS.map((view) => {
      const way = AXES[view.axis]!.clone().multiplyScalar(view.way);
      return { ...view, at: way.applyQuaternion(turn) };
    }).sort((a, b) => a.at.z - b.at.z);
    render(
      html`<svg width=${SIZE} height=${SIZE} viewBox="0 0 ${SIZE} ${SIZE}">
        ${balls.map((each) => this.ball(each, each.at))}
      </svg>`,
      this.place,
    );
  }

  private ball(view: (typeof VIEWS)[number], at: Vector3) {
    const middle = SIZE / 2;
    const [x, y] = [middle + REACH * at.x, middle - REACH * at.y];
    const colour = AXIS_COLOURS[view.axis]!;
    const look = () => this.orbit.look(view.yaw, view.pitch, true);
    const key = (event: KeyboardEvent) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      look();
    };
    return svg`<g role="button" tabindex="0" aria-label=${view.label} @click=${look} @keydown=${key}>
      <title>${view.label}</title>
      ${view.way > 0 ? svg`<path d="M${middle} ${middle}L${x} ${y}" stroke=${colour} stroke-width="2"/>` : ""}
      <circle cx=${x} cy=${y} r=${view.way > 0 ? 9 : 6} fill=${colour}
        fill-opacity=${view.way > 0 ? 1 : 0.35} stroke=${colour}/>
      ${view.way > 0 ? svg`<text x=${x} y=${y + 3.5} text-anchor="middle" aria-hidden="true">${"XYZ"[view.axis]}</text>` : ""}
    </g>`;
  }
}
