/** A small HTTP load client over raw sockets: cheap enough not to be what is measured. */
import { connect } from 'node:net';

export interface Target {
  port: number;
  /** Builds the bytes of the next request. */
  request(): string;
}

export interface Slice {
  requests: number;
  errors: number;
  seconds: number;
  /** In milliseconds, unsorted. */
  latencies: number[];
}

export function httpRequest(
  method: string,
  path: string,
  headers: Record<string, string>,
  body = '',
): string {
  const all: Record<string, string> = { host: 'localhost', ...headers };
  if (body)
    Object.assign(all, {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    });
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Sends requests over `connections` sockets, one at a time on each, for `ms` milliseconds. */
export async function load(target: Target, connections: number, ms: number): Promise<Slice> {
  const slice: Slice = { requests: 0, errors: 0, seconds: 0, latencies: [] };
  const started = performance.now();
  const until = started + ms;
  await Promise.all(Array.from({ length: connections }, () => worker(target, until, slice)));
  slice.seconds = (performance.now() - started) / 1000;
  return slice;
}

async function worker(target: Target, until: number, slice: Slice): Promise<void> {
  const line = await openLine(target.port);
  while (performance.now() < until) {
    const sent = performance.now();
    const status = await line.ask(target.request());
    slice.requests += 1;
    slice.latencies.push(performance.now() - sent);
    if (status !== 200 && status !== 304) slice.errors += 1;
  }
  line.close();
}

export interface Line {
  /** Sends the bytes of a request and waits for the whole answer: its status. One at a time. */
  ask(request: string): Promise<number>;
  close(): void;
}

export function openLine(port: number): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    let [missing, status] = [-1, 0];
    let head: Buffer = Buffer.alloc(0);
    let answered: (status: number) => void = () => {};
    let failed: (error: Error) => void = reject;
    socket.on('data', (chunk: Buffer) => {
      if (missing < 0) {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        const end = head.indexOf('\r\n\r\n');
        if (end === -1) return;
        const text = head.toString('latin1', 0, end);
        status = Number(text.slice(9, 12));
        missing = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0) - (head.length - end - 4);
      } else missing -= chunk.length;
      if (missing <= 0) answered(status);
    });
    socket.on('connect', () =>
      resolve({
        ask: (request) =>
          new Promise((done, fail) => {
            [answered, failed] = [done, fail];
            missing = -1;
            head = Buffer.alloc(0);
            socket.write(request);
          }),
        close: () => socket.end(),
      }),
    );
    socket.on('error', (error) => failed(error));
    socket.on('close', () => failed(new Error('The server closed the connection.')));
  });
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);
