// The line to the server: it comes back by itself when the server was away.

import { signal } from "@preact/signals-core";
import { decode, type Told } from "./frame";
import type { ClientMessage } from "./messages";
import { maySay } from "./role";

/** "refused": the server answers, but was restarted, so that this browser needs its new link. */
export type Line = "connecting" | "open" | "lost" | "refused";

export const line = signal<Line>("connecting");

const SHORTEST_WAIT = 250; // ms between tries
const LONGEST_WAIT = 3000;

let socket: WebSocket | null = null;
let hear: (told: Told) => void = () => {};
let wait = SHORTEST_WAIT;

export function connect(onTold: (told: Told) => void): void {
  hear = onTold;
  open();
}

export function say(message: ClientMessage): boolean {
  if (!maySay(message) || socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(JSON.stringify(message));
  return true;
}

function open(): void {
  const address = new URL("wire", document.baseURI);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  socket = new WebSocket(address);
  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    wait = SHORTEST_WAIT;
    line.value = "open";
  };
  socket.onmessage = (event: MessageEvent<ArrayBuffer>) => hear(decode(event.data));
  socket.onclose = () => {
    line.value = "lost";
    retrySoon();
  };
}

function retrySoon(): void {
  setTimeout(() => void retry(), wait);
  wait = Math.min(2 * wait, LONGEST_WAIT);
}

/** A WebSocket does not tell why it was refused, so a request asks first. */
async function retry(): Promise<void> {
  const answer = await fetch(document.baseURI, { method: "HEAD", cache: "no-store" }).catch(
    () => null,
  );
  if (answer && answer.status !== 403) return open();
  line.value = answer ? "refused" : "lost";
  retrySoon();
}
