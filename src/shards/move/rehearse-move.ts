/** Rehearsal of a move: copies a business, compares all rows, and removes the copy. The directory does not change. */
import { OperatorError } from '../../lib/operator-errors.ts';
import { listBusinessTables } from './business-tables.ts';
import { type CopyReport, copyAndCompare, countRows, type OnMoveProgress } from './copy-and-compare.ts';
import { hasCopy, readMoveRecord, recordMoveStep } from './move-record.ts';
import { type MoveAddresses, withMove } from './open-move.ts';
import { removeCopy } from './remove-copy.ts';

export const rehearseMove = (addresses: MoveAddresses, onProgress: OnMoveProgress): Promise<CopyReport> =>
  withMove(addresses, async (move) => {
    const report = await copyAndCompare(move, onProgress);
    await onProgress('remove the copy');
    await removeCopy(move, await listBusinessTables(move.source.connection));
    const { tables, ...summary } = report;
    await recordMoveStep(move, 'REHEARSED', { ...summary, rows: countRows(report) });
    return report;
  });

/** Removes what an interrupted rehearsal or move has left. False: nothing was left. */
export const cancelMove = (addresses: MoveAddresses): Promise<boolean> =>
  withMove(addresses, async (move) => {
    const record = await readMoveRecord(move.home, move.businessId);
    if (!hasCopy(record)) return false;
    if (record.source !== move.source.name || record.target !== move.target.name)
      throw new OperatorError(`The unfinished copy leads from ${record.source} to ${record.target}.`);
    await removeCopy(move, await listBusinessTables(move.source.connection));
    await recordMoveStep(move, 'CANCELLED');
    return true;
  });
