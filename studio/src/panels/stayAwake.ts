// Keeps the screen on while a phone performs.

let lock: WakeLockSentinel | null = null;
let wanted = false;

/** Asks for it, and again whenever the page comes back; browsers without it are left as they are. */
export function stayAwake(): void {
  if (!wanted) document.addEventListener("visibilitychange", () => void ask());
  wanted = true;
  void ask();
}

async function ask(): Promise<void> {
  if (document.visibilityState !== "visible" || (lock && !lock.released)) return;
  lock = await (navigator.wakeLock?.request("screen").catch(() => null) ?? null);
}
