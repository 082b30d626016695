/** Cron jobs are enqueued at their time, once for all processes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { isCronDue, startCronScheduler } from '../../src/adapters/jobs/cron.ts';
import { createJobRunner } from '../../src/adapters/jobs/pg-boss.ts';
import type { QueryHandle } from '../../src/db/handles.ts';
import { allJobs } from '../../src/maintenance/background-jobs.ts';
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

it('is checked by one of several schedulers at a time', async () => {
  await t.db.sql('update pgboss.version set cron_on = null');
  const sent: string[][] = [];
  const schedules = [
    { name: 'each-minute', cron: '* * * * *' },
    { name: 'never', cron: '99 * * * *' },
  ];
  const send = async (_tx: QueryHandle, names: string[]) => sent.push(names);
  const startedAt = performance.now();
  const stops = Array.from({ length: 5 }, () => startCronScheduler(t.db, schedules, send, log, 100));
  await sleep(1000);
  for (const stop of stops) await stop();
  // Every 100 ms one of the five schedulers.
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.length).toBeLessThanOrEqual((performance.now() - startedAt) / 100);
  expect(new Set(sent.map(String))).toEqual(new Set(['each-minute']));
});

describe('a scheduler tick', () => {
  const schedules = [{ name: 'each-minute', cron: '* * * * *' }];
  const cronOn = (value: string) => t.db.sql(`update pgboss.version set cron_on = ${value}`);

  it('enqueues in the transaction of its timestamp, however long that takes', async () => {
    await cronOn('null');
    const same: unknown[] = [];
    const stop = startCronScheduler(
      t.db,
      schedules,
      async (tx) => {
        await sleep(20);
        same.push(...(await tx.sql('select cron_on = now() as same from pgboss.version')));
      },
      log,
      50,
    );
    await expect.poll(() => same.length).toBeGreaterThan(0);
    await stop();
    expect(same[0]).toEqual({ same: true });
  });

  it('that fails is retried by the next one', async () => {
    await cronOn(`now() - interval '1 day'`);
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
    await expect.poll(() => attempts).toBeGreaterThan(0);
    await stop();
    expect(await t.db.sql(`select cron_on < now() - interval '1 hour' as old from pgboss.version`)).toEqual([
      { old: true },
    ]);
  });

  it('is not delayed by a timestamp in the future', async () => {
    await cronOn(`now() + interval '1 year'`);
    const sent: string[][] = [];
    const stop = startCronScheduler(t.db, schedules, async (_tx, names) => sent.push(names), log, 50);
    await expect.poll(() => sent.length).toBeGreaterThan(0);
    await stop();
  });

  it('is awaited by stop, and never overlaps with the next one', async () => {
    await cronOn('null');
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

it('enqueues the job', async () => {
  const job = defineJob('by-the-minute', noJobDataSchema, async () => {}, { cron: '* * * * *' });
  const jobs = await createJobRunner(t.db, [job], log);
  const count = async () =>
    (
      await t.db.sql<{ count: number }>(
        `select count(*)::int as count from pgboss.job where name = 'by-the-minute'`,
      )
    )[0]?.count;
  expect(await count()).toBe(0);
  await t.db.sql('update pgboss.version set cron_on = null');
  await jobs.start(t.app.services);
  await expect.poll(count).toBe(1);
  await jobs.stop();
});
