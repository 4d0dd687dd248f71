// The connection to the server: it reconnects by itself.

import { signal } from "@preact/signals-core";
import { decode, type ReceivedMessage } from "./frame";
import type { ClientMessage } from "./messages";
import { maySend } from "./role";

/** "refused": the server answers, but was restarted, so that this browser needs its new link.
 * "blocked": pages are answered, but no socket opens, as where a phone does not trust the certificate. */
export type Line = "connecting" | "open" | "lost" | "refused" | "blocked";

export const line = signal<Line>("connecting");

const SHORTEST_WAIT = 250; // ms between tries
const LONGEST_WAIT = 3000;

let socket: WebSocket | null = null;
let deliver: (received: ReceivedMessage) => void = () => {};
let wait = SHORTEST_WAIT;
let failures = 0; // sockets in a row that did not open, although the server answered

const BLOCKED = 3; // of these

export function connect(onMessage: (received: ReceivedMessage) => void): void {
  deliver = onMessage;
  open();
}

export function send(message: ClientMessage): boolean {
  if (!maySend(message) || socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(JSON.stringify(message));
  return true;
}

/** Bytes that were sent but have not left yet: the connection is slow. */
export function unsentBytes(): number {
  return socket?.bufferedAmount ?? 0;
}

function open(): void {
  const address = new URL("wire", document.baseURI);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  socket = new WebSocket(address);
  socket.binaryType = "arraybuffer";
  let opened = false;
  socket.onopen = () => {
    opened = true;
    wait = SHORTEST_WAIT;
    line.value = "open";
  };
  socket.onmessage = (event: MessageEvent<ArrayBuffer>) => deliver(decode(event.data));
  socket.onclose = () => {
    failures = opened ? 0 : failures + 1;
    if (opened || line.value !== "blocked") line.value = "lost";
    retrySoon();
  };
}

function retrySoon(): void {
  setTimeout(() => void retry(), wait);
  wait = Math.min(2 * wait, LONGEST_WAIT);
}

/** A WebSocket does not report why it was refused, so a request finds out first. */
async function retry(): Promise<void> {
  const answer = await fetch(document.baseURI, { method: "HEAD", cache: "no-store" }).catch(
    () => null,
  );
  if (answer?.ok) {
    if (failures >= BLOCKED) line.value = "blocked";
    return open();
  }
  failures = 0;
  if (answer && answer.status !== 403) return open();
  line.value = answer ? "refused" : "lost";
  retrySoon();
}
