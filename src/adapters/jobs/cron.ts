/**
 * Sends the jobs that have their time, by the clock of the database. pg-boss would work out when each was due last, all in one go: a tenth of
 * a second in which a process does nothing else.
 */
import type { Logger } from 'pino';
import type { Queries } from '../../db/handles.ts';

const usualMs = 10_000;

/** One process at a time looks, and hears what time it is. A turn in times to come was taken by a clock that was put back since. */
const turn = `update pgboss.version set cron_on = now()
  where cron_on is null or cron_on <= now() - make_interval(secs => $1) or cron_on > now() + interval '1 minute'
  returning extract(epoch from now())::float8 as seconds`;

/** Whether a cron expression names this minute of the day, in UTC: each of its first two fields is a number, a star, or every so many. */
export function isCronDue(cron: string, at: Date): boolean {
  const [minute = '', hour = '', ...days] = cron.split(' ');
  if (days.join(' ') !== '* * *') throw new Error(`Only times of day are kept: ${cron}`);
  return fits(minute, at.getUTCMinutes()) && fits(hour, at.getUTCHours());
}

function fits(field: string, value: number): boolean {
  const found = /^(?:(\d+)|\*(?:\/(\d+))?)$/.exec(field);
  if (!found) throw new Error(`Not a time: ${field}`);
  const [, exact, every = '1'] = found;
  return exact === undefined ? value % Number(every) === 0 : value === Number(exact);
}

/** Begins to look; the function it returns ends that. `send` keeps to one job a minute. */
export function startCronScheduler(
  db: Queries,
  times: readonly { name: string; cron: string }[],
  send: (tx: Queries, names: string[]) => Promise<unknown>,
  log: Logger,
  everyMs = usualMs,
): () => Promise<void> {
  // In one transaction it is the same time throughout: what is sent a moment later is not sent again for the next minute.
  const look = () =>
    db.transaction(async (tx) => {
      const [mine] = await tx.sql<{ seconds: number }>(turn, [everyMs / 1000]);
      if (!mine) return;
      const due = times.filter(({ cron }) => isCronDue(cron, new Date(mine.seconds * 1000)));
      if (due.length > 0)
        await send(
          tx,
          due.map(({ name }) => name),
        );
    });
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => log.warn({ err: error }, 'jobs'))
      .finally(() => {
        looking = undefined;
      });
  }, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
