/**
 * Rehearsal of a move: copies a business to another server while it sells, compares all rows, and removes the copy. The directory does not
 * change. Every step can be repeated, so that an interrupted rehearsal continues when it is started again.
 */
import { OperatorError } from '../../lib/operator-errors.ts';
import { listBusinessTables } from './business-tables.ts';
import { assertNoRows, checkServers, hasBusiness } from './check-prerequisites.ts';
import { fillBusinessIds } from './child-rows.ts';
import { type CopyComparison, compareSnapshots } from './compare-snapshots.ts';
import { isUnfinished, readMoveRecord, recordMoveStep } from './move-record.ts';
import { type Move, type MoveAddresses, withMove } from './open-move.ts';
import { endSnapshot, installWriteFences, pauseWritesAndTakeSnapshots } from './pause-writes.ts';
import { removeCopy } from './remove-copy.ts';
import { setReplicaIdentities } from './replica-identity.ts';
import { startCopy, waitForCopy } from './replication.ts';

export interface RehearsalReport extends CopyComparison {
  /** Copy of all tables, from the start of this process. */
  copySeconds: number;
  /** For this long, writes of the business were rejected with UNAVAILABLE. */
  pauseMs: number;
  compareSeconds: number;
}

/** Receives the steps in their order, and the number of copied tables. */
export type OnMoveProgress = (text: string) => void | Promise<void>;

export const rehearseMove = (
  addresses: MoveAddresses,
  onProgress: OnMoveProgress,
): Promise<RehearsalReport> =>
  withMove(addresses, async (move) => {
    const { businessId, source } = move;
    await onProgress('check');
    await checkServers(move);
    if (!(await hasBusiness(source.connection, businessId)))
      throw new OperatorError(`There is no business ${businessId} on ${source.name}.`);
    await prepare(move, onProgress);
    const report = await copyAndCompare(move, onProgress);
    await onProgress('remove the copy');
    await removeCopy(move, await listBusinessTables(source.connection));
    const { tables, ...summary } = report;
    await recordMoveStep(move, 'REHEARSED', { ...summary, rows: countRows(report) });
    return report;
  });

export const countRows = ({ tables }: CopyComparison): number =>
  tables.reduce((sum, { rows }) => sum + rows, 0);

async function prepare(move: Move, onProgress: OnMoveProgress): Promise<void> {
  const { businessId, home, source, target } = move;
  const tables = await listBusinessTables(source.connection);
  const record = await readMoveRecord(home, businessId);
  if (isUnfinished(record)) {
    if (record.source !== source.name || record.target !== target.name)
      throw new OperatorError(
        `A copy from ${record.source} to ${record.target} is not finished. Run: duet move ${businessId} ${record.target} --cancel`,
      );
    if (record.step === 'REMOVING') await removeCopy(move, tables);
  } else await assertNoRows(move, tables);
  await recordMoveStep(move, 'COPYING');
  await onProgress('prepare the tables');
  await installWriteFences(move, tables);
  await fillBusinessIds(move);
  await setReplicaIdentities(source.connection, tables);
}

async function copyAndCompare(move: Move, onProgress: OnMoveProgress): Promise<RehearsalReport> {
  const startedAt = performance.now();
  await onProgress('copy');
  await startCopy(move, await listBusinessTables(move.source.connection));
  await waitForCopy(move, (copied, tables) => onProgress(`copy: ${copied} of ${tables} tables`));
  const copiedAt = performance.now();
  await onProgress('pause');
  const tables = await listBusinessTables(move.source.connection);
  const pauseMs = await pauseWritesAndTakeSnapshots(move, tables);
  const comparedFrom = performance.now();
  await onProgress('compare');
  const comparison = await compareSnapshots(move, tables);
  await Promise.all([endSnapshot(move.source), endSnapshot(move.target)]);
  return {
    copySeconds: (copiedAt - startedAt) / 1000,
    pauseMs,
    compareSeconds: (performance.now() - comparedFrom) / 1000,
    ...comparison,
  };
}

/** Removes what an interrupted rehearsal has left. False: nothing was left. */
export const cancelMove = (addresses: MoveAddresses): Promise<boolean> =>
  withMove(addresses, async (move) => {
    const record = await readMoveRecord(move.home, move.businessId);
    if (!isUnfinished(record)) return false;
    if (record.source !== move.source.name || record.target !== move.target.name)
      throw new OperatorError(`The unfinished copy leads from ${record.source} to ${record.target}.`);
    await removeCopy(move, await listBusinessTables(move.source.connection));
    await recordMoveStep(move, 'CANCELLED');
    return true;
  });
