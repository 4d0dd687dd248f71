// Taps that count as soon as the finger leaves a button.

/**
 * For `@touchend` of a button that has `@click`, too: browsers take a tap right after another finger
 * left the screen in motion for the end of a fling, and send no click. Other input still clicks.
 */
export function tapped(run: () => void): (event: TouchEvent) => void {
  return (event) => {
    const [finger] = event.changedTouches;
    const button = event.currentTarget as HTMLButtonElement;
    if (!finger || button.disabled) return;
    event.preventDefault(); // no click follows
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const { clientX: x, clientY: y } = finger;
    if (x >= left && x <= right && y >= top && y <= bottom) run();
  };
}
