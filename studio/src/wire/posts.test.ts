import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { packed, PostedConnection, unpacked } from "./posts";

const text = (data: ArrayBuffer) => new TextDecoder().decode(data);
const bytes = (given: string) => new TextEncoder().encode(given);

/** A server whose answers can be lost, after or before it has taken a request. */
class Server {
  taken: string[] = [];
  outgoing: Uint8Array[] = [];
  loses: ("request" | "answer")[] = []; // of the next posts
  polls = 0;
  wake: () => void = () => {};

  readonly fetch = async (address: URL | string, given: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(address));
    if (url.pathname === "/posts") return Response.json({ key: "k" });
    if (given.method !== "POST") return this.polled(Number(url.searchParams.get("after")));
    const lost = this.loses.shift();
    if (lost === "request") throw new TypeError("lost");
    const body = given.body as ArrayBuffer;
    const first = new DataView(body).getUint32(0, true);
    unpacked(body)
      .map(text)
      .forEach((each, i) => {
        if (first + i === this.taken.length + 1) this.taken.push(each);
      });
    if (lost === "answer") throw new TypeError("lost");
    return Response.json({ received: this.taken.length });
  };

  private async polled(after: number): Promise<Response> {
    this.polls++;
    if (this.polls === 2) throw new TypeError("lost"); // one answer on its way
    while (this.outgoing.length <= after) await new Promise<void>((done) => (this.wake = done));
    return new Response(packed(after + 1, this.outgoing.slice(after)));
  }

  say(given: string): void {
    this.outgoing.push(bytes(given));
    this.wake();
  }
}

let server: Server;
const heard: string[] = [];
let losses = 0;

async function opened(): Promise<PostedConnection> {
  const made = await PostedConnection.open(new URL("http://studio/posts"), {
    deliver: (message) => heard.push(text(message)),
    lost: () => losses++,
  });
  return made!;
}

beforeEach(() => {
  vi.useFakeTimers();
  server = new Server();
  [heard.length, losses] = [0, 0];
  vi.stubGlobal("fetch", server.fetch);
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("removeEventListener", () => {});
  vi.stubGlobal("navigator", { sendBeacon: () => true });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("what is posted comes once and in order, whatever is lost on the way", async () => {
  const line = await opened();
  server.loses = ["answer", "request", "answer"];
  for (const each of ["a", bytes("b"), "c"]) line.send(each);
  await vi.advanceTimersByTimeAsync(300);
  line.send("d");
  await vi.advanceTimersByTimeAsync(3000);
  expect(server.taken).toEqual(["a", "b", "c", "d"]);
  expect(line.unsent).toBe(0);
  expect(losses).toBe(0);
});

test("what the server says is heard once and in order", async () => {
  await opened();
  server.say("one");
  await vi.advanceTimersByTimeAsync(10);
  server.say("two");
  server.say("three");
  await vi.advanceTimersByTimeAsync(1000);
  expect(heard).toEqual(["one", "two", "three"]);
});

test("a server that does not know the connection ends it", async () => {
  await opened();
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("", { status: 410 })));
  server.say("one");
  await vi.advanceTimersByTimeAsync(1000);
  expect(losses).toBe(1);
});

test("a server that cannot be reached is given up after some seconds", async () => {
  const line = await opened();
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("lost")));
  line.send("a");
  await vi.advanceTimersByTimeAsync(4000);
  expect(losses).toBe(0);
  await vi.advanceTimersByTimeAsync(2000);
  expect(losses).toBe(1);
});

test("a server that takes no such connections is no connection", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("", { status: 503 })));
  expect(await PostedConnection.open(new URL("http://studio/posts"), {} as never)).toBeNull();
});

test("messages are packed and unpacked alike", () => {
  const body = packed(7, [bytes("a"), bytes(""), bytes("bcd")]);
  expect(new DataView(body).getUint32(0, true)).toBe(7);
  expect(unpacked(body).map(text)).toEqual(["a", "", "bcd"]);
});
