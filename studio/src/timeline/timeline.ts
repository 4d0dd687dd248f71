export function buildTimeline(place: HTMLElement): void {
  place.append(document.createElement("canvas"));
}
