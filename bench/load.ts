/** HTTP load client over raw sockets, whose own CPU time is small compared with that of the server. */
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
  /** In milliseconds, unsorted. Excludes the first `settleMs`, in which the client connects and CPU caches still hold other work. */
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
  const startedAt = performance.now();
  const schedule = { settledAt: startedAt + Math.min(ms / 4, settleMs), endsAt: startedAt + ms };
  await Promise.all(Array.from({ length: connections }, () => worker(target, schedule, slice)));
  slice.seconds = (performance.now() - startedAt) / 1000;
  return slice;
}

const settleMs = 100;

interface Schedule {
  settledAt: number;
  endsAt: number;
}

async function worker(target: Target, { settledAt, endsAt }: Schedule, slice: Slice): Promise<void> {
  const connection = await openConnection(target.port);
  while (performance.now() < endsAt) {
    const sentAt = performance.now();
    const status = await connection.send(target.request());
    slice.requests += 1;
    if (sentAt >= settledAt) slice.latencies.push(performance.now() - sentAt);
    if (status !== 200 && status !== 304) slice.errors += 1;
  }
  connection.close();
}

export interface Connection {
  /** Sends the bytes of a request and resolves with the status when the whole response has arrived. One request at a time. */
  send(request: string): Promise<number>;
  close(): void;
}

export function openConnection(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    let [received, expected] = [0, Number.POSITIVE_INFINITY];
    let head = '';
    let resolveStatus: (status: number) => void = () => {};
    let rejectRequest: (error: Error) => void = reject;
    const buffer = Buffer.alloc(65_536);
    const callback = (bytes: number): boolean => {
      received += bytes;
      if (expected === Number.POSITIVE_INFINITY) {
        head += buffer.toString('latin1', 0, Math.min(bytes, 4096));
        const end = head.indexOf('\r\n\r\n');
        if (end >= 0) expected = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      }
      if (received >= expected) resolveStatus(Number(head.slice(9, 12)));
      return true;
    };
    // PERF: all responses are read into one buffer; garbage collections of the client would show up as latency of the server.
    const socket = connect({ port, host: '127.0.0.1', onread: { buffer, callback } });
    socket.setNoDelay(true);
    socket.on('connect', () =>
      resolve({
        send: (request) =>
          new Promise((done, fail) => {
            [resolveStatus, rejectRequest] = [done, fail];
            [received, expected] = [0, Number.POSITIVE_INFINITY];
            head = '';
            socket.write(request);
          }),
        close: () => socket.end(),
      }),
    );
    socket.on('error', (error) => rejectRequest(error));
    socket.on('close', () => rejectRequest(new Error('The server closed the connection.')));
  });
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);
