/**
 * Copies a business to another server while it sells, and compares all rows. Every step can be repeated, so that an interrupted copy
 * continues when it is started again.
 */
import { OperatorError } from '../../lib/operator-errors.ts';
import { type BusinessTable, listBusinessTables } from './business-tables.ts';
import { assertNoRows, checkServers, hasBusiness } from './check-prerequisites.ts';
import { fillBusinessIds } from './child-rows.ts';
import type { CopyComparison } from './compare-snapshots.ts';
import { assertDirectoryNames, hasCopy, readMoveRecord, recordMoveStep } from './move-record.ts';
import type { Move } from './open-move.ts';
import {
  acceptWrites,
  installWriteFences,
  isPauseInEffect,
  pauseWrites,
  rejectAllWrites,
} from './pause-writes.ts';
import { removeCopy } from './remove-copy.ts';
import { setReplicaIdentities } from './replica-identity.ts';
import { startCopy, waitForCopy } from './replication.ts';
import { openSnapshots } from './snapshots.ts';

export interface CopyReport extends CopyComparison {
  /** Copy of all tables, from the start of this process. */
  copySeconds: number;
  /** For this long, writes of the business were rejected with UNAVAILABLE. */
  pauseMs: number;
  compareSeconds: number;
}

/** Receives the steps in their order, and the number of copied tables. */
export type OnMoveProgress = (text: string) => void | Promise<void>;

export const countRows = ({ tables }: CopyComparison): number =>
  tables.reduce((sum, { rows }) => sum + rows, 0);

export async function copyAndCompare(move: Move, onProgress: OnMoveProgress): Promise<CopyReport> {
  await onProgress('check');
  await checkServers(move);
  await assertDirectoryNames(move, move.source.name);
  if (!(await hasBusiness(move.source.connection, move.businessId)))
    throw new OperatorError(`There is no business ${move.businessId} on ${move.source.name}.`);
  await prepare(move, onProgress);
  const startedAt = performance.now();
  await onProgress('copy');
  await startCopy(move, await listBusinessTables(move.source.connection));
  await waitForCopy(move, (copied, tables) => onProgress(`copy: ${copied} of ${tables} tables`));
  const copySeconds = (performance.now() - startedAt) / 1000;
  await onProgress('pause');
  return { copySeconds, ...(await compare(move, onProgress)) };
}

async function prepare(move: Move, onProgress: OnMoveProgress): Promise<void> {
  const { businessId, home, source, target } = move;
  const tables = await listBusinessTables(source.connection);
  const record = await readMoveRecord(home, businessId);
  if (hasCopy(record)) {
    if (record.source !== source.name || record.target !== target.name)
      throw new OperatorError(
        `A copy from ${record.source} to ${record.target} is not finished. Run: duet move ${businessId} ${record.target} --cancel`,
      );
    if (record.step === 'REMOVING') await removeCopy(move, tables);
  } else await assertNoRows(move, tables);
  await recordMoveStep(move, 'COPYING');
  await onProgress('prepare the tables');
  // A process that was killed at the switch, before it changed the directory.
  await acceptWrites(move, source);
  await installWriteFences(source, tables);
  // Background work of the target must not change the copy.
  await installWriteFences(target, tables);
  await rejectAllWrites(move, target);
  await fillBusinessIds(move);
  await setReplicaIdentities(source.connection, tables);
}

async function compare(move: Move, onProgress: OnMoveProgress): Promise<Omit<CopyReport, 'copySeconds'>> {
  const tables: BusinessTable[] = await listBusinessTables(move.source.connection);
  const snapshots = await openSnapshots(move);
  try {
    const { pauseMs } = await pauseWrites(move, tables, async () => {
      await snapshots.begin();
      return (await isPauseInEffect(move)) || undefined;
    });
    const startedAt = performance.now();
    await onProgress('compare');
    const comparison = await snapshots.compare(tables);
    return { pauseMs, compareSeconds: (performance.now() - startedAt) / 1000, ...comparison };
  } finally {
    await snapshots.close();
  }
}
