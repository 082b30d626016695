/** Assumptions about pg-boss: its tables, job states and completion statements, which src/vendor/pg-boss uses. */
import PgBoss from 'pg-boss';
import { beforeAll, expect, it } from 'vitest';
import { createPgBossHandle } from '../../src/adapters/jobs/create-pg-boss-queues.ts';
import type { Db } from '../../src/db/handles.ts';
import {
  addDataDiscardToCompletionSql,
  changeJobs,
  countWaitingJobs,
  deleteJobsOfAddresses,
  jobReports,
  jobTransfer,
} from '../../src/vendor/pg-boss/job-tables.ts';
import { testDb } from '../support/database.ts';
import { seenOnVersions } from './seen-versions.ts';

seenOnVersions('pg-boss', '10.4');

const queue = 'vendor';
const statements: string[] = [];
let db: Db;
let boss: PgBoss;

beforeAll(async () => {
  db = await testDb();
  const { executeSql } = createPgBossHandle(db);
  boss = new PgBoss({
    db: {
      executeSql(text, values) {
        statements.push(text);
        return executeSql(text, values);
      },
    },
    migrate: false,
  });
  await boss.createQueue(queue, { name: queue, retryLimit: 3 });
});

const send = async (data = {}, options = {}) =>
  (await boss.send(queue, data, options)) ?? expect.unreachable();
const find = async (id: string) => (await boss.getJobById(queue, id)) ?? expect.unreachable();
const fetchJob = () => boss.fetch(queue);
const countStates = async () =>
  (await jobReports.readQueueStates<{ queue: string }>(db)).find(({ queue: name }) => name === queue);

it('has the schema version that the migrations create', async () => {
  expect(await boss.schemaVersion()).toBe(24);
});

it('counts waiting, running and failed jobs, and due and scheduled ones', async () => {
  const id = await send();
  const scheduled = await send({}, { startAfter: 3600 });
  expect(await countWaitingJobs(db, [queue, 'other'], { max: 10 })).toEqual(new Map([[queue, 1]]));
  expect(await countWaitingJobs(db, [queue], { max: 10, includeScheduled: true })).toEqual(
    new Map([[queue, 2]]),
  );
  expect(await countWaitingJobs(db, [queue], { max: 1, includeScheduled: true })).toEqual(
    new Map([[queue, 1]]),
  );
  await fetchJob();
  expect(await countStates()).toMatchObject({ waiting: 1, running: 1, failed: 0 });
  await boss.deleteJob(queue, [id, scheduled]);
});

it('fails a job at once after its retries are exhausted; the failed job can be retried and dropped', async () => {
  const id = await send();
  await fetchJob();
  await changeJobs(db, 'exhaustRetries', [id]);
  await boss.fail(queue, id, new Error('no such address'));
  expect((await find(id)).state).toBe('failed');
  expect(await jobReports.readFailedJobs(db, 10)).toEqual([
    { id, queue, failedAt: expect.any(Number), tries: 1, reason: 'no such address' },
  ]);
  expect(await changeJobs(db, 'retryFailed', [id])).toBe(1);
  expect(await find(id)).toMatchObject({ state: 'retry', completedOn: null });
  expect(await changeJobs(db, 'dropFailed', [id])).toBe(0);
  expect((await fetchJob()).map((job) => job.id)).toEqual([id]);
  await boss.fail(queue, id);
  expect(await changeJobs(db, 'dropFailed', [id])).toBe(1);
  expect(await boss.getJobById(queue, id)).toBeNull();
});

it('requeues a running job without counting the attempt', async () => {
  const id = await send();
  await fetchJob();
  await changeJobs(db, 'requeueRunning', [id]);
  expect(await find(id)).toMatchObject({ state: 'retry', startedOn: null });
  expect((await fetchJob()).map((job) => job.id)).toEqual([id]);
  expect((await find(id)).retryCount).toBe(0);
  await boss.complete(queue, id);
});

it('deletes the jobs of an address, also archived ones', async () => {
  const ids = [
    await send({ to: 'A@x.test' }),
    await send({ email: 'a@x.test' }),
    await send({ to: 'b@x.test' }),
  ];
  await deleteJobsOfAddresses(db, ['a@x.test'], new Date(Date.now() + 60_000));
  expect(await Promise.all(ids.map(async (id) => (await boss.getJobById(queue, id)) !== null))).toEqual([
    false,
    false,
    true,
  ]);
});

it('moves waiting, running and failed jobs of a condition to another database, once', async () => {
  const other = await testDb();
  await new PgBoss({ db: createPgBossHandle(other), migrate: false }).createQueue(queue);
  await boss.purgeQueue(queue);
  const stored = () =>
    other.sql<{ id: string; state: string }>('select id, state::text from pgboss.job order by state');
  const put = async (rows: { job: unknown }[]) =>
    other.sql(jobTransfer.put, [JSON.stringify(rows.map(({ job }) => job))]);
  const [running, waiting] = [await send({ of: 'x' }), await send({ of: 'x' }, { startAfter: 3600 })];
  const remaining = await send({ of: 'y' }, { startAfter: 3600 });
  await fetchJob();
  const take = (all: boolean) =>
    db.sql<{ job: unknown }>(jobTransfer.take("j.data ->> 'of' = $2", { all }), [queue, 'x']);
  const taken = await take(false);
  await put(taken);
  await put(taken);
  expect(await stored()).toEqual([{ id: waiting, state: 'created' }]);
  await put(await take(true));
  expect(await stored()).toEqual([
    { id: waiting, state: 'created' },
    { id: running, state: 'retry' },
  ]);
  expect(await db.sql(jobTransfer.waiting, [queue])).toEqual([
    { job: expect.objectContaining({ id: remaining }) },
  ]);
  await boss.deleteJob(queue, remaining);
});

it('recognises the statements that complete and fail jobs, and no others', async () => {
  const sentBy = async (run: () => Promise<unknown>) => {
    statements.length = 0;
    await run();
    return statements.map((text) => addDataDiscardToCompletionSql(text) !== undefined);
  };
  const id = await send();
  expect(await sentBy(() => boss.complete(queue, id))).toEqual([true]);
  expect(await sentBy(() => boss.fail(queue, id))).toEqual([true]);
  for (const run of [send, fetchJob, () => boss.insert([{ name: queue }]), () => boss.cancel(queue, id)])
    expect(await sentBy(run)).toEqual([false]);
});
