export function buildStage(place: HTMLElement): void {
  place.append(document.createElement("canvas"));
}
