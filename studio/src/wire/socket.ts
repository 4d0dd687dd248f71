// The line to the server: it comes back by itself when the server was away.

import { signal } from "@preact/signals-core";
import { decode, type Told } from "./frame";
import type { Up } from "./messages";

export type Line = "connecting" | "open" | "lost";

export const line = signal<Line>("connecting");

const LONGEST_WAIT = 3000; // ms between tries

let socket: WebSocket | null = null;
let hear: (told: Told) => void = () => {};
let wait = 250;

export function connect(onTold: (told: Told) => void): void {
  hear = onTold;
  open();
}

export function say(message: Up): boolean {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(JSON.stringify(message));
  return true;
}

function open(): void {
  const page = new URL(location.href);
  const address = new URL("wire", page);
  address.protocol = page.protocol === "https:" ? "wss:" : "ws:";
  address.search = page.search; // carries the token of a shared studio
  address.hash = "";
  socket = new WebSocket(address);
  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    wait = 250;
    line.value = "open";
  };
  socket.onmessage = (event: MessageEvent<ArrayBuffer>) => hear(decode(event.data));
  socket.onclose = () => {
    line.value = "lost";
    setTimeout(open, wait);
    wait = Math.min(2 * wait, LONGEST_WAIT);
  };
}
