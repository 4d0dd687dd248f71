// A message from the server: u32 length of the JSON, the JSON padded to 4 bytes, float32 numbers.

import type { ServerMessage } from "./messages";

export interface ReceivedMessage {
  message: ServerMessage;
  arrays: Record<string, Float32Array>;
}

const decoder = new TextDecoder();

export function decode(buffer: ArrayBuffer): ReceivedMessage {
  const length = new DataView(buffer).getUint32(0, true);
  const message = JSON.parse(decoder.decode(new Uint8Array(buffer, 4, length))) as ServerMessage;
  const arrays: Record<string, Float32Array> = {};
  let at = 4 + length;
  for (const { name, shape } of message.arrays) {
    const size = shape.reduce((product, side) => product * side, 1);
    arrays[name] = new Float32Array(buffer, at, size);
    at += 4 * size;
  }
  return { message, arrays };
}
