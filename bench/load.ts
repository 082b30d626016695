/** HTTP load client over raw sockets, whose own CPU time is small compared with that of the server. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

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

export interface RatedSlice {
  /** Latencies of responses with status 200, in milliseconds, from the time at which the request was due. */
  latencies: number[];
  /** Number of responses by status; 0 counts requests without a response. */
  statuses: Map<number, number>;
}

/** Open-loop load: requests start at a fixed rate, whether or not earlier ones have completed, on an idle or a new connection. */
export async function loadAtRate(
  { port, request }: Target,
  perSecond: number,
  ms: number,
  initialConnections = 64,
): Promise<RatedSlice> {
  const slice: RatedSlice = { latencies: [], statuses: new Map() };
  const idle: Connection[] = await Promise.all(
    Array.from({ length: initialConnections }, () => openConnection(port)),
  );
  const sendOne = async (dueAt: number) => {
    let status = 0;
    try {
      const connection = idle.pop() ?? (await openConnection(port));
      status = await connection.send(request());
      idle.push(connection);
      if (status === 200) slice.latencies.push(performance.now() - dueAt);
    } catch {
      // Counted as status 0.
    }
    slice.statuses.set(status, (slice.statuses.get(status) ?? 0) + 1);
  };
  const pending: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let elapsed = 0; elapsed < ms; elapsed = performance.now() - startedAt) {
    for (let dueAt = pending.length / perSecond; dueAt * 1000 <= elapsed; dueAt = pending.length / perSecond)
      pending.push(sendOne(startedAt + dueAt * 1000));
    await sleep(1);
  }
  await Promise.all(pending);
  for (const connection of idle) connection.close();
  return slice;
}

/** Number of responses whose status is none of these. */
export const countOtherThan = ({ statuses }: RatedSlice, ...expected: number[]): number =>
  [...statuses].reduce((sum, [status, count]) => (expected.includes(status) ? sum : sum + count), 0);

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
