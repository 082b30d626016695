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
  /** In milliseconds, unsorted; without the first ones, while everybody connects and the others' work is still in the caches. */
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
  const times = { settled: started + Math.min(ms / 4, settleMs), until: started + ms };
  await Promise.all(Array.from({ length: connections }, () => worker(target, times, slice)));
  slice.seconds = (performance.now() - started) / 1000;
  return slice;
}

const settleMs = 100;

interface Times {
  settled: number;
  until: number;
}

async function worker(target: Target, { settled, until }: Times, slice: Slice): Promise<void> {
  const line = await openLine(target.port);
  while (performance.now() < until) {
    const sent = performance.now();
    const status = await line.ask(target.request());
    slice.requests += 1;
    if (sent >= settled) slice.latencies.push(performance.now() - sent);
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
    let [seen, needed] = [0, Number.POSITIVE_INFINITY];
    let head = '';
    let answered: (status: number) => void = () => {};
    let failed: (error: Error) => void = reject;
    const buffer = Buffer.alloc(65_536);
    const callback = (bytes: number): boolean => {
      seen += bytes;
      if (needed === Number.POSITIVE_INFINITY) {
        head += buffer.toString('latin1', 0, Math.min(bytes, 4096));
        const end = head.indexOf('\r\n\r\n');
        if (end >= 0) needed = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      }
      if (seen >= needed) answered(Number(head.slice(9, 12)));
      return true;
    };
    // Answers are read into the same bytes: to throw them away would make the client stop for its garbage, at the server's expense.
    const socket = connect({ port, host: '127.0.0.1', onread: { buffer, callback } });
    socket.setNoDelay(true);
    socket.on('connect', () =>
      resolve({
        ask: (request) =>
          new Promise((done, fail) => {
            [answered, failed] = [done, fail];
            [seen, needed] = [0, Number.POSITIVE_INFINITY];
            head = '';
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
