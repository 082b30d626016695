/** Statements on the tables of pg-boss, for everything that its API has no function for. */

/** Handle or transaction that the statements run on. */
interface JobTableHandle {
  sql<Row>(text: string, params?: readonly unknown[]): Promise<Row[]>;
}

export const jobReports = {
  /** Jobs by state per queue, and the seconds since the oldest waiting job became due. The queues of pg-boss itself are omitted. */
  readQueueStates: <QueueState>(db: JobTableHandle): Promise<QueueState[]> =>
    db.sql(`
  select queue.name as queue,
    count(*) filter (where job.state in ('created', 'retry')) as waiting,
    count(*) filter (where job.state = 'active') as running,
    count(*) filter (where job.state = 'failed') as failed,
    coalesce(floor(extract(epoch from now() - min(job.start_after)
      filter (where job.state in ('created', 'retry') and job.start_after <= now()))), 0)::int as "oldestSeconds"
  from pgboss.queue queue
  left join pgboss.job job on job.name = queue.name and job.state in ('created', 'retry', 'active', 'failed')
  where queue.name not like '\\_\\_pgboss\\_\\_%'
  group by queue.name
  order by queue.name`),

  /** Permanently failed jobs, newest first. */
  readFailedJobs: <FailedJob>(db: JobTableHandle, limit: number): Promise<FailedJob[]> =>
    db.sql(
      `
  select id::text as id, name as queue, extract(epoch from completed_on)::int as "failedAt", retry_count + 1 as tries,
    coalesce(output ->> 'message', output -> 'value' ->> 'message', output::text, '') as reason
  from pgboss.job
  where state = 'failed'
  order by completed_on desc, id
  limit $1`,
      [limit],
    ),
};

const waitingStates = "('created', 'retry')";

/** Statements that move jobs to another database. A row of a job is JSON. */
export const jobTransfer = {
  /** `$1`: queue. */
  waiting: `select to_jsonb(j) as job from pgboss.job j where j.name = $1 and j.state in ${waitingStates}`,
  /** Deletes the jobs of a queue (`$1`) that fulfil `condition`. With `all`, also running and failed ones, but no finished ones. */
  take: (condition: string, { all }: { all: boolean }): string =>
    `with taken as (
      delete from pgboss.job j where j.name = $1 and j.state in ${all ? "('created', 'retry', 'active', 'failed')" : waitingStates}
        and (${condition}) returning j.*
    ) select to_jsonb(taken) as job from taken`,
  /** `$1`: array of jobs. A running job becomes a waiting one. Does nothing for jobs that exist. */
  put: `insert into pgboss.job select (jsonb_populate_record(null::pgboss.job,
      case job ->> 'state' when 'active' then job || '{"state": "retry", "started_on": null}' else job end)).*
    from jsonb_array_elements($1::jsonb) job on conflict do nothing`,
};

const jobChanges = {
  // Unlike pg-boss's own retry: without delay, without the queue name, and the job is not archived as one completed long ago.
  retryFailed: `update pgboss.job set state = 'retry', retry_limit = retry_count + 1, start_after = now(), completed_on = null
    where state = 'failed' and`,
  dropFailed: `delete from pgboss.job where state = 'failed' and`,
  /** Makes running jobs available to other processes immediately. The interrupted run does not count as an attempt. */
  requeueRunning: `update pgboss.job set state = 'retry', started_on = null, start_after = now() where state = 'active' and`,
  /** Removes the remaining attempts, so that the failure which follows is permanent. */
  exhaustRetries: 'update pgboss.job set retry_limit = retry_count where',
};

/** Returns the number of changed jobs. */
export async function changeJobs(
  db: JobTableHandle,
  change: keyof typeof jobChanges,
  ids: readonly string[],
): Promise<number> {
  return (await db.sql(`${jobChanges[change]} id = any($1::uuid[]) returning 1`, [ids])).length;
}

/**
 * Number of waiting jobs per queue, at most `max` each; queues without any are omitted. With `includeScheduled`, also jobs whose start
 * time is in the future.
 */
export async function countWaitingJobs(
  db: JobTableHandle,
  queues: readonly string[],
  { includeScheduled = false, max }: { includeScheduled?: boolean; max: number },
): Promise<Map<string, number>> {
  const rows = await db.sql<{ name: string; count: number }>(
    `select q.name, waiting.count from unnest($1::text[]) as q(name), lateral (
      select count(*)::int from (
        select 1 from pgboss.job j where j.name = q.name and j.state < 'active' and ($2 or j.start_after <= now()) limit $3
      ) jobs
    ) waiting where waiting.count > 0`,
    [queues, includeScheduled, max],
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/** Deletes jobs, finished or not, that were created until `until` and contain one of these email addresses (lower case). */
export async function deleteJobsOfAddresses(
  db: JobTableHandle,
  addresses: readonly string[],
  until: Date,
): Promise<void> {
  for (const table of ['job', 'archive'])
    await db.sql(
      `delete from pgboss.${table}
       where (lower(data ->> 'to') = any($1::text[]) or lower(data ->> 'email') = any($1::text[]))
         and created_on <= $2::timestamptz`,
      [addresses, until.toISOString()],
    );
}

/** The part of pg-boss's completion statement, and of no other, that sets the state. */
const completedState = /state = 'completed',\s+output = \$3::jsonb/;

/**
 * For a statement of pg-boss that marks jobs as completed or failed: the statement that also deletes the data of completed jobs. Undefined
 * for other statements.
 */
export const addDataDiscardToCompletionSql = (text: string): string | undefined =>
  text.includes('UNNEST($2::uuid[])') && text.includes('$3::jsonb')
    ? text.replace(completedState, '$&, data = null')
    : undefined;
