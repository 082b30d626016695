/** Cron jobs are enqueued at their time, once for all processes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { isCronDue, startCronScheduler } from '../../src/adapters/jobs/cron-scheduler-on-database-clock.ts';
import { createJobRunner } from '../../src/adapters/jobs/pg-boss.ts';
import { allJobs } from '../../src/maintenance/all-jobs.ts';
import { defineJob, noJobDataSchema } from '../../src/ports/jobs.ts';
import { type TestApp, testApp } from '../support/app.ts';

const log = pino({ level: 'silent' });
let t: TestApp;

beforeAll(async () => {
  t = await testApp();
});

describe('a cron expression', () => {
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
    expect(isCronDue(cron, new Date(at))).toBe(expected);
  });

  it.each(['0 0 1 * *', '1,2 * * * *', '*x * * * *', '* *', '', '1-5 * * * *'])('%j is rejected', (cron) => {
    expect(() => isCronDue(cron, new Date(0))).toThrow();
  });

  it('of every job is valid', () => {
    const crons = allJobs.flatMap(({ policy }) => policy.cron ?? []);
    expect(crons.length).toBeGreaterThan(10);
    for (const cron of crons) {
      const minutes = Array.from({ length: 1440 }, (_, minute) => new Date(minute * 60_000));
      expect(minutes.filter((minute) => isCronDue(cron, minute)).length).toBeGreaterThan(0);
    }
  });
});

describe('a scheduler tick', () => {
  const schedules = [
    { name: 'each-minute', cron: '* * * * *' },
    { name: 'never', cron: '99 * * * *' },
  ];

  it('sends the due jobs once per minute', async () => {
    const sent: string[][] = [];
    const startedAt = Date.now();
    const stop = startCronScheduler(t.db, schedules, async (_tx, names) => sent.push(names), log, 50);
    await sleep(1000);
    await stop();
    expect(new Set(sent.map(String))).toEqual(new Set(['each-minute']));
    expect(sent.length).toBeLessThanOrEqual(1 + Math.ceil((Date.now() - startedAt) / 60_000));
  });

  it('that fails is retried by the next one', async () => {
    let attempts = 0;
    const stop = startCronScheduler(
      t.db,
      schedules,
      async () => {
        attempts += 1;
        throw new Error('not today');
      },
      log,
      50,
    );
    await expect.poll(() => attempts).toBeGreaterThan(2);
    await stop();
  });

  it('is awaited by stop, and never overlaps with the next one', async () => {
    let [running, maxRunning, finished] = [0, 0, 0];
    const stop = startCronScheduler(
      t.db,
      schedules,
      async () => {
        running += 1;
        maxRunning = Math.max(maxRunning, running);
        await sleep(200);
        running -= 1;
        finished += 1;
      },
      log,
      20,
    );
    await expect.poll(() => running).toBe(1);
    await sleep(60);
    await stop();
    expect([maxRunning, finished, running]).toEqual([1, 1, 0]);
  });
});

it('enqueues the job once for all processes', async () => {
  const job = defineJob('by-the-minute', noJobDataSchema, async () => {}, { cron: '* * * * *' });
  const runners = [];
  for (let process = 0; process < 3; process += 1) runners.push(await createJobRunner(t.db, [job], log));
  const perMinute = () =>
    t.db.sql<{ count: number }>(
      `select count(*)::int as count from pgboss.job where name = 'by-the-minute' group by singleton_on`,
    );
  expect(await perMinute()).toEqual([]);
  for (const jobs of runners) await jobs.start(t.app.services);
  await expect.poll(async () => (await perMinute()).length, { timeout: 30_000 }).toBeGreaterThan(0);
  await sleep(500);
  for (const jobs of runners) await jobs.stop();
  expect(new Set((await perMinute()).map(({ count }) => count))).toEqual(new Set([1]));
}, 60_000);
