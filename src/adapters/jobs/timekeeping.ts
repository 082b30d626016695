/**
 * Sends the jobs that have their time, by the clock of the database. pg-boss would work out when each was due last, all in one go: a tenth of
 * a second in which a process does nothing else.
 */
import type { Logger } from 'pino';
import type { Db } from '../../db/sql.ts';

const usualMs = 10_000;

/** One process at a time looks, and hears what time it is. */
const turn = `update pgboss.version set cron_on = now()
  where cron_on is null or cron_on <= now() - make_interval(secs => $1)
  returning extract(epoch from now())::float8 as seconds`;

/** Whether a cron expression names this minute of the day, in UTC: each of its first two fields is a number, a star, or every so many. */
export function isDue(cron: string, at: Date): boolean {
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
export function keepTime(
  db: Db,
  times: readonly { name: string; cron: string }[],
  send: (names: string[]) => Promise<unknown>,
  log: Logger,
  everyMs = usualMs,
): () => void {
  async function look(): Promise<void> {
    const [mine] = await db.sql<{ seconds: number }>(turn, [everyMs / 1000]);
    if (!mine) return;
    const due = times.filter(({ cron }) => isDue(cron, new Date(mine.seconds * 1000)));
    if (due.length > 0) await send(due.map(({ name }) => name));
  }
  const timer = setInterval(() => {
    look().catch((error: unknown) => log.warn({ err: error }, 'jobs'));
  }, everyMs).unref();
  return () => clearInterval(timer);
}
