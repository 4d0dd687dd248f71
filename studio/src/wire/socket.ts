// The connection to the server: a socket, or posts where the browser opens none; it reconnects by itself.

import { signal } from "@preact/signals-core";
import { decode, type ReceivedMessage } from "./frame";
import type { ClientMessage } from "./messages";
import { performanceFrame, type AppendPerformance } from "./performanceFrame";
import { PostedConnection } from "./posts";
import { maySend } from "./role";

/** "refused": the server answers, but was restarted, so that this browser needs its new link.
 * "blocked": pages are answered, but neither a socket nor posts. */
export type Line = "connecting" | "open" | "lost" | "refused" | "blocked";

export const line = signal<Line>("connecting");
/** Whether the browser opens no socket, as where a phone does not trust the certificate, and messages are posted. */
export const isPosted = signal(false);

const SHORTEST_WAIT = 250; // ms between tries
const LONGEST_WAIT = 3000;

let socket: WebSocket | null = null;
let posted: PostedConnection | null = null;
let deliver: (received: ReceivedMessage) => void = () => {};
let wait = SHORTEST_WAIT;
let failures = 0; // sockets in a row that did not open, although the server answered

const BLOCKED = 3; // of these

export function connect(onMessage: (received: ReceivedMessage) => void): void {
  deliver = onMessage;
  open();
}

export function send(message: ClientMessage | AppendPerformance): boolean {
  const isOpen = posted !== null || socket?.readyState === WebSocket.OPEN;
  if (!maySend(message) || !isOpen) return false;
  (posted ?? socket!).send(encoded(message));
  return true;
}

function encoded(message: ClientMessage | AppendPerformance): string | Uint8Array<ArrayBuffer> {
  return message.type === "AppendPerformance" ? performanceFrame(message) : JSON.stringify(message);
}

/** Bytes that were sent but have not left yet: the connection is slow. */
export function unsentBytes(): number {
  return posted ? posted.unsent : (socket?.bufferedAmount ?? 0);
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
    isPosted.value = false;
    line.value = "open";
  };
  socket.onmessage = (event: MessageEvent<ArrayBuffer>) => deliver(decode(event.data));
  socket.onclose = () => {
    failures = opened ? 0 : failures + 1;
    if (opened || line.value !== "blocked") line.value = "lost";
    retrySoon();
  };
}

/** After a lost connection a socket is tried once, then posts again. */
async function openPosts(): Promise<void> {
  posted = await PostedConnection.open(new URL("posts", document.baseURI), {
    deliver: (message) => deliver(decode(message)),
    lost: () => {
      posted = null;
      failures = BLOCKED - 1;
      line.value = "lost";
      retrySoon();
    },
  });
  if (posted) wait = SHORTEST_WAIT;
  isPosted.value = posted !== null;
  line.value = posted ? "open" : "blocked";
  if (!posted) retrySoon();
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
  if (answer?.ok) return failures >= BLOCKED ? openPosts() : open();
  failures = 0;
  if (answer && answer.status !== 403) return open();
  line.value = answer ? "refused" : "lost";
  retrySoon();
}
