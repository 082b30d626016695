/** Jobs that have their time are sent at it, once, whatever the number of processes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { createJobs } from '../../src/adapters/jobs/pg-boss.ts';
import { isDue, keepTime } from '../../src/adapters/jobs/timekeeping.ts';
import { allJobs } from '../../src/jobs.ts';
import { defineJob, noData } from '../../src/ports/jobs.ts';
import { type TestApp, testApp } from '../support/app.ts';

const log = pino({ level: 'silent' });
let t: TestApp;

beforeAll(async () => {
  t = await testApp();
});

describe('a time', () => {
  it.each([
    ['* * * * *', '2026-11-16T00:00:00Z', true],
    ['* * * * *', '2026-11-16T23:59:59Z', true],
    ['*/10 * * * *', '2026-11-16T07:20:31Z', true],
    ['*/10 * * * *', '2026-11-16T07:21:00Z', false],
    ['23 * * * *', '2026-11-16T05:23:59Z', true],
    ['23 * * * *', '2026-11-16T05:24:00Z', false],
    ['47 3 * * *', '2026-11-16T03:47:00Z', true],
    ['47 3 * * *', '2026-11-16T04:47:00Z', false],
    ['47 3 * * *', '2026-11-16T03:47:00+05:00', false],
    ['0 */6 * * *', '2026-11-16T18:00:10Z', true],
  ])('%s at %s: %s', (cron, at, expected) => {
    expect(isDue(cron, new Date(at))).toBe(expected);
  });

  it.each(['0 0 1 * *', '1,2 * * * *', '*x * * * *', '* *', '', '1-5 * * * *'])('%j is refused', (cron) => {
    expect(() => isDue(cron, new Date(0))).toThrow();
  });

  it('is understood of every job', () => {
    const crons = allJobs.flatMap(({ policy }) => policy.cron ?? []);
    expect(crons.length).toBeGreaterThan(10);
    for (const cron of crons) {
      const minutes = Array.from({ length: 1440 }, (_, minute) => new Date(minute * 60_000));
      expect(minutes.filter((minute) => isDue(cron, minute)).length).toBeGreaterThan(0);
    }
  });
});

it('is everybody’s, and one at a time looks at it', async () => {
  await t.db.sql('update pgboss.version set cron_on = null');
  const sent: string[][] = [];
  const times = [
    { name: 'each-minute', cron: '* * * * *' },
    { name: 'never', cron: '99 * * * *' },
  ];
  const send = async (names: string[]) => sent.push(names);
  const begun = performance.now();
  const stops = Array.from({ length: 5 }, () => keepTime(t.db, times, send, log, 100));
  await sleep(1000);
  for (const stop of stops) stop();
  await t.db.sql('select 1');
  // Of each tenth of a second one of the five.
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.length).toBeLessThanOrEqual((performance.now() - begun) / 100);
  expect(new Set(sent.map(String))).toEqual(new Set(['each-minute']));
});

it('sends the job to its queue', async () => {
  const job = defineJob('by-the-minute', noData, async () => {}, { cron: '* * * * *' });
  const jobs = await createJobs(t.db, [job], log);
  const count = async () =>
    (
      await t.db.sql<{ count: number }>(
        `select count(*)::int as count from pgboss.job where name = 'by-the-minute'`,
      )
    )[0]?.count;
  expect(await count()).toBe(0);
  await t.db.sql('update pgboss.version set cron_on = null');
  await jobs.start(t.app.services);
  await expect.poll(count, { timeout: 30_000 }).toBe(1);
  await jobs.stop();
});
