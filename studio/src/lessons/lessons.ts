export function buildLessons(place: HTMLElement): void {
  place.append(document.createElement("div"));
}
