// Labels, hints and drag lines over the viewport.

import "./labels.css";
import type { Seen } from "./projection";

const SVG = "http://www.w3.org/2000/svg";

/** A label that follows something in the picture. */
export class Label {
  private readonly place: HTMLDivElement;
  private size = { width: 0, height: 0 };

  constructor(
    private readonly over: HTMLElement,
    kind: string,
  ) {
    this.place = document.createElement("div");
    this.place.className = `word ${kind}`;
    this.place.hidden = true;
    over.append(this.place);
  }

  /** Shows text beside (x, y), kept inside the viewport. */
  show(text: string, x: number, y: number, right = 14, down = 14): void {
    this.put(text);
    this.move(x, y, right, down);
  }

  /** Shows text on one side of (x, y), level with it. */
  showBeside(text: string, x: number, y: number, side: "left" | "right"): void {
    this.put(text);
    const { width, height } = this.size;
    this.move(x, y, side === "right" ? 18 : -18 - width, -height / 2);
  }

  /** Shows text above (x, y), centred. */
  showAbove(text: string, x: number, y: number): void {
    this.put(text);
    this.move(x, y, -this.size.width / 2, -this.size.height);
  }

  /** The same with something to press. */
  offer(text: string, press: string, does: () => void, x: number, y: number): void {
    const button = document.createElement("button");
    button.textContent = press;
    button.addEventListener("click", () => {
      this.hide();
      does();
    });
    this.place.replaceChildren(document.createTextNode(text), button);
    this.measure();
    this.move(x, y, 14, 14);
  }

  hide(): void {
    this.place.hidden = true;
  }

  colour(of: string): void {
    this.place.style.color = of;
  }

  get shown(): boolean {
    return !this.place.hidden;
  }

  private put(text: string): void {
    if (this.place.textContent === text && !this.place.hidden) return;
    this.place.textContent = text;
    this.measure();
  }

  private measure(): void {
    this.place.hidden = false;
    this.size = { width: this.place.offsetWidth, height: this.place.offsetHeight };
  }

  private move(x: number, y: number, right: number, down: number): void {
    const { clientWidth, clientHeight } = this.over;
    const left =
      x + right + this.size.width > clientWidth - 6
        ? x - Math.abs(right) - this.size.width
        : x + right;
    const top =
      y + down + this.size.height > clientHeight - 6
        ? y - Math.abs(down) - this.size.height
        : y + down;
    this.place.style.transform = `translate(${Math.round(Math.max(left, 6))}px, ${Math.round(Math.max(top, 6))}px)`;
  }
}

/** Thin lines drawn flat over the picture. */
export class DragLines {
  private readonly place = document.createElementNS(SVG, "svg");
  private readonly remainingLine = line("short");
  private readonly wanted = document.createElementNS(SVG, "circle");
  private readonly axis = line("axis");
  private readonly chain = document.createElementNS(SVG, "polyline");

  constructor(over: HTMLElement) {
    this.place.classList.add("strings");
    this.wanted.setAttribute("class", "wanted");
    this.wanted.setAttribute("r", "5");
    this.chain.setAttribute("class", "chain");
    this.place.append(this.axis, this.chain, this.remainingLine, this.wanted);
    over.append(this.place);
    this.showRemaining(null, null);
    this.showAxis(null, "");
    this.showChain([]);
  }

  /** From where a point got to where it was wanted. */
  showRemaining(reached: Seen | null, wanted: Seen | null): void {
    const on = reached !== null && wanted !== null;
    this.remainingLine.style.display = this.wanted.style.display = on ? "" : "none";
    if (!on) return;
    ends(this.remainingLine, reached, wanted);
    this.wanted.setAttribute("cx", String(wanted.x));
    this.wanted.setAttribute("cy", String(wanted.y));
  }

  /** Through the joints that a drag may move; none where that is the whole body. */
  showChain(joints: readonly Seen[]): void {
    this.chain.style.display = joints.length > 1 ? "" : "none";
    this.chain.setAttribute(
      "points",
      joints.map((each) => `${each.x.toFixed(1)},${each.y.toFixed(1)}`).join(" "),
    );
  }

  showAxis(ways: [Seen, Seen] | null, colour: string): void {
    this.axis.style.display = ways ? "" : "none";
    if (!ways) return;
    this.axis.style.stroke = colour;
    ends(this.axis, ...ways);
  }
}

function line(kind: string): SVGLineElement {
  const made = document.createElementNS(SVG, "line");
  made.setAttribute("class", kind);
  return made;
}

function ends(line: SVGLineElement, from: Seen, to: Seen): void {
  line.setAttribute("x1", from.x.toFixed(1));
  line.setAttribute("y1", from.y.toFixed(1));
  line.setAttribute("x2", to.x.toFixed(1));
  line.setAttribute("y2", to.y.toFixed(1));
}
