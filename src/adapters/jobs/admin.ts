/** Job administration on the pg-boss tables: queue counts, permanently failed jobs, retry and drop. */
import type { QueryHandle } from '../../db/handles.ts';
import type { FailedJob, JobAdmin, QueueState } from '../../ports/jobs.ts';

export function createJobAdmin(queries: QueryHandle): JobAdmin {
  const changeFailedJob = async (statement: string, id: string) => {
    if (!uuid.test(id)) return false;
    return (
      (await queries.sql(`${statement} where id = $1::uuid and state = 'failed' returning 1`, [id])).length >
      0
    );
  };
  return {
    states: () => queries.sql<QueueState>(queueStatesSql),
    listFailed: (limit) => queries.sql<FailedJob>(failedJobsSql, [limit]),
    // Same as pg-boss's own retry, but without delay and without the queue name.
    retry: (id) =>
      changeFailedJob(
        `update pgboss.job set state = 'retry', retry_limit = retry_count + 1, start_after = now(), completed_on = null`,
        id,
      ),
    drop: (id) => changeFailedJob('delete from pgboss.job', id),
  };
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const queueStatesSql = `
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
  order by queue.name`;

const failedJobsSql = `
  select id::text as id, name as queue, extract(epoch from completed_on)::int as "failedAt", retry_count + 1 as tries,
    coalesce(output ->> 'message', output -> 'value' ->> 'message', output::text, '') as reason
  from pgboss.job
  where state = 'failed'
  order by completed_on desc, id
  limit $1`;
