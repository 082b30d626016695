/**
 * Cron scheduler by the clock of the database. Replaces the one of pg-boss, which computes the last due time of every job at once and blocks
 * the event loop for about 100 milliseconds.
 */
import type { Logger } from 'pino';
import type { QueryHandle } from '../../db/handles.ts';

const defaultIntervalMs = 10_000;

/** Minutes since 1970 by the clock of the database. */
const currentMinuteSql = 'select floor(extract(epoch from now()) / 60)::int as minute';

/** Whether a cron expression matches this minute, in UTC. Minute and hour may be a number, `*` or `*` with a step; the other fields must be `*`. */
export function isCronDue(cron: string, at: Date): boolean {
  const [minute = '', hour = '', ...days] = cron.split(' ');
  if (days.join(' ') !== '* * *') throw new Error(`Cron expression with unsupported day fields: ${cron}`);
  return matchesField(minute, at.getUTCMinutes()) && matchesField(hour, at.getUTCHours());
}

function matchesField(field: string, value: number): boolean {
  const match = /^(?:(\d+)|\*(?:\/(\d+))?)$/.exec(field);
  if (!match) throw new Error(`Unsupported cron field: ${field}`);
  const [, exact, step = '1'] = match;
  return exact === undefined ? value % Number(step) === 0 : value === Number(exact);
}

/** Starts the scheduler; the returned function stops it. `send` must insert at most one job per minute and queue, for all processes together. */
export function startCronScheduler(
  db: QueryHandle,
  schedules: readonly { name: string; cron: string }[],
  send: (tx: QueryHandle, names: string[]) => Promise<unknown>,
  log: Logger,
  intervalMs = defaultIntervalMs,
): () => Promise<void> {
  let sentMinute: number | undefined;
  // In one transaction now() is constant, so a job that is inserted slightly later still counts for the minute of the tick.
  const tick = async () => {
    sentMinute = await db.transaction(async (tx) => {
      const [clock] = await tx.sql<{ minute: number }>(currentMinuteSql);
      if (!clock || clock.minute === sentMinute) return sentMinute;
      const at = new Date(clock.minute * 60_000);
      const due = schedules.filter(({ cron }) => isCronDue(cron, at)).map(({ name }) => name);
      if (due.length > 0) await send(tx, due);
      return clock.minute;
    });
  };
  let runningTick: Promise<void> | undefined;
  const timer = setInterval(() => {
    runningTick ??= tick()
      .catch((error: unknown) => log.warn({ err: error }, 'cron tick failed'))
      .finally(() => {
        runningTick = undefined;
      });
  }, intervalMs).unref();
  return async () => {
    clearInterval(timer);
    await runningTick;
  };
}
