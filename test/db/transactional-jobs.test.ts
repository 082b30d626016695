/** Jobs are part of the transaction that enqueues them; queues and their policies. */
import { pino } from 'pino';
import { beforeAll, expect, it } from 'vitest';
import { createJobRunner } from '../../src/adapters/jobs/pg-boss.ts';
import { openDb } from '../../src/db/open-db.ts';
import { queueMail, sendMailJob } from '../../src/domains/shared/queue-mail.ts';
import { allJobs } from '../../src/maintenance/all-jobs.ts';
import { defineJob, noJobDataSchema } from '../../src/ports/jobs.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { onPostgres, testDatabaseUrl } from '../support/database.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
});

const mail = (to: string) => ({ to, subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' });

it('sends a queued mail once, after the commit', async () => {
  await t.db.transaction((tx) => queueMail(t.app.services, tx, mail('a@x.example')));
  expect(await t.outbox('a@x.example')).toMatchObject([{ kind: 'MAIL', subject: 'Hello', text: 'Hello' }]);
  expect(await t.outbox('a@x.example')).toHaveLength(1);
});

it('does not send a mail of a rolled back transaction', async () => {
  const work = t.db.transaction(async (tx) => {
    await queueMail(t.app.services, tx, mail('b@x.example'));
    throw new Error('rolled back');
  });
  await expect(work).rejects.toThrow('rolled back');
  expect(await t.outbox('b@x.example')).toEqual([]);
});

it('runs jobs in the background', async () => {
  await t.app.start();
  await t.db.transaction((tx) => queueMail(t.app.services, tx, mail('c@x.example')));
  await expect.poll(() => t.db.prisma.outboxMessage.count({ where: { recipient: 'c@x.example' } })).toBe(1);
  await t.app.stop();
});

it('runs frequent jobs without Prisma, whose first query takes 250 ms and 50 MB', async () => {
  const frequent = allJobs.filter(({ policy }) => policy.cron?.startsWith('*'));
  expect(frequent.length).toBeGreaterThan(5);
  t.statements.length = 0;
  for (const job of frequent) await job.run(t.app.services, {});
  expect(t.statements.length).toBeGreaterThan(5);
  expect(t.statements.filter((text) => text.includes('"public".'))).toEqual([]);
});

it('validates job data read from the queue', async () => {
  await expect(sendMailJob.run(t.app.services, { to: 'd@x.example', subject: 4 })).rejects.toThrow('subject');
  expect(await t.outbox('d@x.example')).toEqual([]);
});

it.runIf(onPostgres)('creates its queues in several processes that start at the same time', async () => {
  const url = await testDatabaseUrl();
  const handlers = Array.from({ length: 8 }, (_, index) =>
    defineJob(`queue-${index}`, noJobDataSchema, async () => {}),
  );
  const dbs = await Promise.all([1, 2, 3, 4, 5].map(() => openDb({ url })));
  try {
    await Promise.all(dbs.map((db) => createJobRunner(db, handlers, pino({ level: 'silent' }))));
    const [db] = dbs;
    const created = await db?.sql<{ count: number }>(
      `select count(*)::int as count from pgboss.queue where name like 'queue-%'`,
    );
    expect(created).toEqual([{ count: 8 }]);
  } finally {
    await Promise.all(dbs.map((db) => db.close()));
  }
});

it('retries mails for more than a day, also in a queue created by an earlier version', async () => {
  await t.db.write("update pgboss.queue set retry_limit = 3, expire_seconds = 5 where name = 'mail'");
  const log = pino({ level: 'silent' });
  await createJobRunner(t.db, [sendMailJob], log);
  const [queue] = await t.db.sql<{ retry_limit: number; retry_delay: number; expire_seconds: number }>(
    "select retry_limit, retry_delay, retry_backoff, expire_seconds from pgboss.queue where name = 'mail'",
  );
  expect(queue).toMatchObject({ retry_limit: 16, retry_delay: 2, retry_backoff: true, expire_seconds: 30 });
  // Shortest delays of the backoff.
  const delays = Array.from(
    { length: queue?.retry_limit ?? 0 },
    (_, retries) => 2 * 2 ** (retries + 1) * 0.5,
  );
  expect(delays.reduce((sum, delay) => sum + delay, 0)).toBeGreaterThan(86_400);
});

it('coalesces queued runs of one job, when drained and in the background; other jobs run each time', async () => {
  const runs: string[] = [];
  const coalesced = defineJob('nudged', noJobDataSchema, async () => void runs.push('nudged'), {
    coalesce: true,
  });
  const single = defineJob('single', noJobDataSchema, async () => void runs.push('single'));
  const jobs = await createJobRunner(t.db, [coalesced, single], pino({ level: 'silent' }));
  const startAt = Math.floor(Date.now() / 1000) + 3600;
  const queue = async () => {
    for (const job of [coalesced, single, coalesced, single, coalesced]) await jobs.enqueue(t.db, job, {});
  };
  await queue();
  expect(await jobs.drain({})).toBe(5);
  expect(runs.splice(0)).toEqual(['nudged', 'single', 'single']);
  await jobs.enqueue(t.db, single, {}, { startAt });
  expect(await jobs.drain({})).toBe(0);
  expect(await jobs.drain({}, true)).toBe(1);
  runs.length = 0;
  await queue();
  await jobs.start({});
  await expect.poll(() => runs.toSorted().join(), { timeout: 10_000 }).toBe('nudged,single,single');
  await jobs.stop();
  const [unfinished] = await t.db.sql(
    `select count(*)::int as count from pgboss.job where name in ('nudged', 'single') and state <> 'completed'`,
  );
  expect(unfinished).toEqual({ count: 0 });
});
