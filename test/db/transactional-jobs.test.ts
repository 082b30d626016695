/** Jobs live and die with the transaction that wrote them. */
import { pino } from 'pino';
import { beforeAll, expect, it } from 'vitest';
import { createJobRunner } from '../../src/adapters/jobs/pg-boss.ts';
import { openDb } from '../../src/db/open.ts';
import { mailJob, queueMail } from '../../src/domains/shared/queue-mail.ts';
import { allJobs } from '../../src/maintenance/background-jobs.ts';
import { defineJob, noJobData } from '../../src/ports/jobs.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { onPostgres, testDatabaseUrl } from '../support/database.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
});

const mail = (to: string) => ({ to, subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' });

it('sends a queued mail once, when the transaction has committed', async () => {
  await t.db.transaction((tx) => queueMail(t.app.services, tx, mail('a@x.example')));
  expect(await t.outbox('a@x.example')).toMatchObject([{ kind: 'MAIL', subject: 'Hello', text: 'Hello' }]);
  expect(await t.outbox('a@x.example')).toHaveLength(1);
});

it('forgets a mail with the change that was undone', async () => {
  const undone = t.db.transaction(async (tx) => {
    await queueMail(t.app.services, tx, mail('b@x.example'));
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await t.outbox('b@x.example')).toEqual([]);
});

it('works on jobs in the background', async () => {
  await t.app.start();
  await t.db.transaction((tx) => queueMail(t.app.services, tx, mail('c@x.example')));
  await expect.poll(() => t.db.prisma.outboxMessage.count({ where: { recipient: 'c@x.example' } })).toBe(1);
  await t.app.stop();
});

it('needs no Prisma while nothing happens: its first question takes a quarter of a second and 50 MB', async () => {
  const often = allJobs.filter(({ policy }) => policy.cron?.startsWith('*'));
  expect(often.length).toBeGreaterThan(5);
  t.statements.length = 0;
  for (const job of often) await job.run(t.app.services, {});
  expect(t.statements.length).toBeGreaterThan(5);
  expect(t.statements.filter((text) => text.includes('"public".'))).toEqual([]);
});

it('checks what it reads back from the queue before it works on it', async () => {
  await expect(mailJob.run(t.app.services, { to: 'd@x.example', subject: 4 })).rejects.toThrow('subject');
  expect(await t.outbox('d@x.example')).toEqual([]);
});

it.runIf(onPostgres)('makes its queues in several processes that start in the same moment', async () => {
  const url = await testDatabaseUrl();
  const handlers = Array.from({ length: 8 }, (_, index) =>
    defineJob(`queue-${index}`, noJobData, async () => {}),
  );
  const dbs = await Promise.all([1, 2, 3, 4, 5].map(() => openDb({ url })));
  try {
    await Promise.all(dbs.map((db) => createJobRunner(db, handlers, pino({ level: 'silent' }))));
    const [db] = dbs;
    const made = await db?.sql<{ count: number }>(
      `select count(*)::int as count from pgboss.queue where name like 'queue-%'`,
    );
    expect(made).toEqual([{ count: 8 }]);
  } finally {
    await Promise.all(dbs.map((db) => db.close()));
  }
});

it('tries mails for more than a day, also in a queue that an earlier version made', async () => {
  await t.db.sql("update pgboss.queue set retry_limit = 3, expire_seconds = 5 where name = 'mail'");
  const log = pino({ level: 'silent' });
  await createJobRunner(t.db, [mailJob], log);
  const [queue] = await t.db.sql<{ retry_limit: number; retry_delay: number; expire_seconds: number }>(
    "select retry_limit, retry_delay, retry_backoff, expire_seconds from pgboss.queue where name = 'mail'",
  );
  expect(queue).toMatchObject({ retry_limit: 16, retry_delay: 2, retry_backoff: true, expire_seconds: 30 });
  // The shortest pauses that the backoff makes, one after the other.
  const pauses = Array.from({ length: queue?.retry_limit ?? 0 }, (_, tried) => 2 * 2 ** (tried + 1) * 0.5);
  expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThan(86_400);
});

it('runs once for several nudges, in the background as when it is drained, and each other job by itself', async () => {
  const runs: string[] = [];
  const nudged = defineJob('nudged', noJobData, async () => void runs.push('nudged'), { coalesce: true });
  const single = defineJob('single', noJobData, async () => void runs.push('single'));
  const jobs = await createJobRunner(t.db, [nudged, single], pino({ level: 'silent' }));
  const startAt = Math.floor(Date.now() / 1000) + 3600;
  const queue = async () => {
    for (const job of [nudged, single, nudged, single, nudged]) await jobs.enqueue(t.db, job, {});
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
  const [left] = await t.db.sql(
    `select count(*)::int as count from pgboss.job where name in ('nudged', 'single') and state <> 'completed'`,
  );
  expect(left).toEqual({ count: 0 });
});
