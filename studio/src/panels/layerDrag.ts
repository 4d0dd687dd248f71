// Reorders a layer by dragging its row.

import { chooseLayer, moveLayer } from "../state/layers";
import { uiScale } from "../state/view";

const STARTS = 4; // px

/** Follows the pointer; the row moves on release, or stays after Esc. */
export function dragRow(event: PointerEvent, layer: number): void {
  if (event.button !== 0 || (event.target as Element).closest("button, input")) return;
  const row = event.currentTarget as HTMLElement;
  const list = row.parentElement;
  if (!list) return;
  chooseLayer(layer);
  let to = layer;
  let moved = false;
  const follow = (now: PointerEvent) => {
    if (!moved && Math.abs(now.clientY - event.clientY) < STARTS) return;
    if (!moved) row.setPointerCapture(event.pointerId);
    moved = true;
    to = placeAt(list, now.clientY) ?? layer;
    mark(list, row, layer, to);
    row.style.transform = `translateY(${(now.clientY - event.clientY) / uiScale.peek()}px)`;
  };
  const end = (kept: boolean) => {
    removeEventListener("pointermove", follow);
    removeEventListener("pointerup", up);
    removeEventListener("pointercancel", cancel);
    removeEventListener("keydown", key, true);
    row.style.transform = "";
    mark(list, row, layer, layer);
    if (!kept || !moved) return;
    moveLayer(layer, to);
    list.querySelector<HTMLElement>(`[data-layer="${to}"]`)?.focus(); // where it comes to lie
  };
  const up = () => end(true);
  const cancel = () => end(false);
  const key = (pressed: KeyboardEvent) => {
    if (pressed.key !== "Escape") return;
    pressed.preventDefault();
    pressed.stopPropagation();
    end(false);
  };
  addEventListener("pointermove", follow);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", cancel);
  addEventListener("keydown", key, true);
}

/** The layer whose row is under the pointer; above all the top one, below all the lowest. */
function placeAt(list: Element, y: number): number | null {
  const rows = [...list.querySelectorAll<HTMLElement>("[data-layer]")].map((row) => {
    const height = row.offsetHeight;
    const top =
      row.offsetTop -
      list.scrollTop +
      list.getBoundingClientRect().top -
      (list as HTMLElement).offsetTop;
    return { layer: Number(row.dataset["layer"]), far: Math.abs(y - top - height / 2) };
  });
  rows.sort((a, b) => a.far - b.far);
  return rows[0]?.layer ?? null;
}

/** A line where the row would come to lie. */
function mark(list: Element, row: Element, layer: number, to: number): void {
  for (const each of list.querySelectorAll<HTMLElement>("[data-layer]")) {
    const here = Number(each.dataset["layer"]) === to && to !== layer;
    each.classList.toggle("drop-above", here && to > layer);
    each.classList.toggle("drop-below", here && to < layer);
  }
  row.classList.toggle("carried", to !== layer);
}
