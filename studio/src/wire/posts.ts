// The connection without a socket: messages are posted and polled for, numbered so that none is lost or doubled.

const GIVES_UP = 5000; // ms of tries until the connection is taken to be lost
const AGAIN = 200; // ms between two tries
const POST_TIME = 4000; // ms that a request may take
const POLL_TIME = 15_000; // the server answers a poll within 10 s
const MOST_BYTES = 1 << 20; // of one post; the server takes twice as much
const MOST_MESSAGES = 1000;

interface Ends {
  deliver: (message: ArrayBuffer) => void;
  lost: () => void; // called once
}

export class PostedConnection {
  /** Bytes that the server has not confirmed. */
  unsent = 0;
  private waiting: Uint8Array[] = []; // not confirmed
  private first = 1; // the number of the first of them
  private received = 0; // the number of the last message of the server
  private isPosting = false;
  private isOver = false;

  private constructor(
    private readonly address: string,
    private readonly ends: Ends,
  ) {
    addEventListener("pagehide", this.leave);
    void this.poll();
  }

  /** Null where the server takes no such connection. */
  static async open(base: URL, ends: Ends): Promise<PostedConnection | null> {
    const answer = await fetch(base, { method: "POST" }).catch(() => null);
    if (!answer?.ok) return null;
    const { key } = (await answer.json()) as { key: string };
    return new PostedConnection(`${base.href}/${key}`, ends);
  }

  send(message: string | Uint8Array): void {
    const data = typeof message === "string" ? new TextEncoder().encode(message) : message;
    this.waiting.push(data);
    this.unsent += data.length;
    void this.post();
  }

  /** One post at a time, of all that waits: the rest follows once it is confirmed. */
  private async post(): Promise<void> {
    if (this.isPosting) return;
    this.isPosting = true;
    while (this.waiting.length && !this.isOver) {
      const body = packed(this.first, this.batch());
      const answer = await this.request("", POST_TIME, { method: "POST", body });
      if (answer) this.confirm(receivedIn(answer));
    }
    this.isPosting = false;
  }

  private batch(): Uint8Array[] {
    let size = 0;
    const fits = (each: Uint8Array, i: number) => {
      size += each.length;
      return i === 0 || (i < MOST_MESSAGES && size <= MOST_BYTES);
    };
    const end = this.waiting.findIndex((each, i) => !fits(each, i));
    return end < 0 ? this.waiting : this.waiting.slice(0, end);
  }

  private confirm(received: number): void {
    for (const each of this.waiting.splice(0, received + 1 - this.first))
      this.unsent -= each.length;
    this.first = received + 1;
  }

  private async poll(): Promise<void> {
    while (!this.isOver) {
      const answer = await this.request(`?after=${this.received}`, POLL_TIME);
      for (const each of answer ? unpacked(answer) : []) {
        this.received++;
        this.ends.deliver(each);
      }
    }
  }

  /** Repeats a request until it is answered; null where the connection is over. */
  private async request(
    query: string,
    time: number,
    given: RequestInit = {},
  ): Promise<ArrayBuffer | null> {
    let failed: number | null = null; // ms, when it did for the first time
    while (!this.isOver) {
      const signal = AbortSignal.timeout(time);
      const answer = await fetch(this.address + query, { ...given, signal }).catch(() => null);
      if (answer && !answer.ok) break; // the server does not know it any more
      const body = await answer?.arrayBuffer().catch(() => null);
      if (body) return body;
      failed ??= performance.now();
      if (performance.now() - failed > GIVES_UP) break;
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
    this.end();
    return null;
  }

  private end(): void {
    if (this.isOver) return;
    this.leave();
    this.ends.lost();
  }

  private readonly leave = (): void => {
    this.isOver = true;
    removeEventListener("pagehide", this.leave);
    navigator.sendBeacon(`${this.address}/end`);
  };
}

function receivedIn(answer: ArrayBuffer): number {
  return (JSON.parse(new TextDecoder().decode(answer)) as { received: number }).received;
}

/** u32 number of the first message, then for each its u32 length and bytes. */
export function packed(first: number, messages: readonly Uint8Array[]): ArrayBuffer {
  const size = messages.reduce((sum, each) => sum + 4 + each.length, 4);
  const body = new ArrayBuffer(size);
  const view = new DataView(body);
  view.setUint32(0, first, true);
  let at = 4;
  for (const each of messages) {
    view.setUint32(at, each.length, true);
    new Uint8Array(body).set(each, at + 4);
    at += 4 + each.length;
  }
  return body;
}

export function unpacked(body: ArrayBuffer): ArrayBuffer[] {
  const view = new DataView(body);
  const found: ArrayBuffer[] = [];
  for (let at = 4; at < body.byteLength;) {
    const end = at + 4 + view.getUint32(at, true);
    found.push(body.slice(at + 4, end));
    at = end;
  }
  return found;
}
