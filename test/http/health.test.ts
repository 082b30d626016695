/** Readiness: bounded while the database hangs, and one probe per second for any number of callers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { createHealthResponses } from '../../src/http/health-responses.ts';
import { testDb } from '../support/database.ts';

const db = await testDb();
afterEach(() => {
  vi.restoreAllMocks();
});
const bodyOf = ({ body }: { body: unknown }) => JSON.parse(String(body)) as object;

it('is 503 within the time limit while the database does not respond, and recovers', async () => {
  let respond = () => {};
  const ping = vi.spyOn(db, 'ping').mockImplementation(
    () =>
      new Promise((resolve) => {
        respond = resolve;
      }),
  );
  const health = createHealthResponses(db, () => false, { timeoutMs: 500, maxAgeMs: 50 });
  const startedAt = performance.now();
  const first = await health.ready();
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  expect([first.status, bodyOf(first)]).toEqual([503, expect.objectContaining({ database: 'unreachable' })]);
  await sleep(60);
  expect((await health.ready()).status).toBe(503);
  // A probe that has not ended is not repeated: each would occupy a connection.
  expect(ping).toHaveBeenCalledTimes(1);
  respond();
  ping.mockRestore();
  await expect.poll(async () => (await health.ready()).status).toBe(200);
});

it('asks the database once for many callers, and again when the result is too old', async () => {
  const ping = vi.spyOn(db, 'ping');
  const health = createHealthResponses(db, () => false, { timeoutMs: 5_000, maxAgeMs: 2_000 });
  const results = await Promise.all(Array.from({ length: 500 }, () => health.ready()));
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await health.ready()).status).toBe(200);
  expect(ping).toHaveBeenCalledTimes(1);
  await sleep(2_100);
  await health.ready();
  expect(ping).toHaveBeenCalledTimes(2);
});

it('is 503 at once when the process stops, whatever the last probe', async () => {
  let stopping = false;
  const health = createHealthResponses(db, () => stopping);
  expect((await health.ready()).status).toBe(200);
  stopping = true;
  const response = await health.ready();
  expect([response.status, bodyOf(response)]).toMatchObject([503, { database: 'ok', stopping: true }]);
});

it.each([
  [false, 503],
  [true, 200],
])('of a database that responds after 2.5 seconds, embedded: %s, is %d', async (isEmbedded, status) => {
  vi.spyOn(db, 'ping').mockImplementation(() => sleep(2_500));
  const health = createHealthResponses(db, () => false, { isEmbedded });
  expect((await health.ready()).status).toBe(status);
});
