/** Copies a business to another server, and keeps the copy current: a publication with row filters, and a subscription to it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../../lib/operator-errors.ts';
import { type BusinessTable, buildBusinessCondition, quoteName } from './business-tables.ts';
import type { Move } from './open-move.ts';

const pollMs = 100;
/** A subscription without a worker makes no progress: the target has none left, or cannot reach the source. */
const maxIdleMs = 60_000;

const prismaParameters = new Set(['schema', 'connection_limit', 'pool_timeout', 'pgbouncer']);

/** Connection string of the target to the source. libpq rejects parameters that only Prisma knows. */
export function buildSubscriptionUrl(url: string): string {
  const [address = '', ...query] = url.split('?');
  const isKnown = (parameter: string) => !prismaParameters.has(parameter.split('=')[0] ?? '');
  const parameters = query.join('?').split('&').filter(Boolean).filter(isKnown);
  return parameters.length === 0 ? address : `${address}?${parameters.join('&')}`;
}

const quoteText = (text: string): string =>
  `${text.includes('\\') ? ' E' : ''}'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/** Continues with what an interrupted call has created. */
export async function startCopy(move: Move, tables: readonly BusinessTable[]): Promise<void> {
  const { businessId, name, source, target } = move;
  const published = await source.connection.query('SELECT FROM pg_publication WHERE pubname = $1', [name]);
  if (published.length === 0) {
    const filtered = tables.map(
      (table) => `${quoteName(table.name)} WHERE (${buildBusinessCondition(table, businessId)})`,
    );
    await source.connection.query(`CREATE PUBLICATION ${quoteName(name)} FOR TABLE ${filtered.join(', ')}
      WITH (publish = 'insert, update, delete')`);
  }
  if (await hasSubscription(move)) return;
  // An interrupted CREATE SUBSCRIPTION is rolled back on the target, but not its slot on the source.
  await dropUnusedSlot(move);
  try {
    await target.connection.query(
      `CREATE SUBSCRIPTION ${quoteName(name)} CONNECTION ${quoteText(buildSubscriptionUrl(source.url))}
       PUBLICATION ${quoteName(name)} WITH (disable_on_error = true)`,
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${target.name} cannot read from ${source.name}: ${reason}`, { cause: error });
  }
}

async function hasSubscription({ name, target }: Move): Promise<boolean> {
  const rows = await target.connection.query(
    'SELECT FROM pg_subscription WHERE subname = $1 AND subdbid = (SELECT oid FROM pg_database WHERE datname = current_database())',
    [name],
  );
  return rows.length > 0;
}

const dropUnusedSlot = ({ name, source }: Move) =>
  source.connection.query(
    'SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1 AND NOT active',
    [name],
  );

interface CopyState {
  copied: number;
  tables: number;
  enabled: boolean;
  running: boolean;
}

/** Resolves when every table is copied. `onProgress` receives the number of copied tables, whenever it has changed. */
export async function waitForCopy(
  { name, target }: Move,
  onProgress: (copied: number, tables: number) => unknown,
): Promise<void> {
  let runningAt = performance.now();
  let reported = -1;
  for (;;) {
    const [state] = await target.connection.query<CopyState>(
      `SELECT (SELECT count(*)::int FROM pg_subscription_rel WHERE srsubid = s.oid AND srsubstate = 'r') AS copied,
         (SELECT count(*)::int FROM pg_subscription_rel WHERE srsubid = s.oid) AS tables, s.subenabled AS enabled,
         EXISTS (SELECT FROM pg_stat_subscription w WHERE w.subid = s.oid AND w.pid IS NOT NULL) AS running
       FROM pg_subscription s WHERE s.subname = $1`,
      [name],
    );
    if (!state?.enabled)
      throw new OperatorError(
        `The copy on ${target.name} stopped with an error. Read the log of ${target.name}, then cancel and start again.`,
      );
    if (state.copied !== reported) await onProgress(state.copied, state.tables);
    reported = state.copied;
    if (state.copied === state.tables) return;
    if (state.running) runningAt = performance.now();
    else if (performance.now() - runningAt > maxIdleMs)
      throw new OperatorError(
        `The copy makes no progress: ${target.name} has no free worker (max_logical_replication_workers), or cannot reach the source.`,
      );
    await sleep(pollMs);
  }
}

/** Whether the target has applied all transactions that were committed on the source before this call, within `timeoutMs`. */
export async function waitUntilApplied({ name, source }: Move, timeoutMs: number): Promise<boolean> {
  const until = performance.now() + timeoutMs;
  // Its commit flushes all earlier ones, also those of sessions with synchronous_commit = off.
  const [marker] = await source.connection.query<{ lsn: string }>(
    "SELECT pg_logical_emit_message(true, 'duet_move', '')::text AS lsn",
  );
  do {
    const applied = await source.connection.query(
      'SELECT FROM pg_stat_replication WHERE application_name = $1 AND replay_lsn >= $2::pg_lsn',
      [name, marker?.lsn],
    );
    if (applied.length > 0) return true;
    await sleep(10);
  } while (performance.now() < until);
  return false;
}

/** Drops subscription, replication slot and publication, as far as they exist. */
export async function stopCopy(move: Move): Promise<void> {
  const { name, source, target } = move;
  if (await hasSubscription(move)) await target.connection.query(`DROP SUBSCRIPTION ${quoteName(name)}`);
  await dropUnusedSlot(move);
  await source.connection.query(`DROP PUBLICATION IF EXISTS ${quoteName(name)}`);
}
