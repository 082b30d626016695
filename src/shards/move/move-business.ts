/**
 * Moves a business to another server while it sells. Until the directory is switched, the business stays on its server, and the move can
 * be cancelled. Afterwards the move only goes forward. An interrupted move continues when it is started again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../../lib/operator-errors.ts';
import { type BusinessTable, listBusinessTables } from './business-tables.ts';
import type { CopyComparison } from './compare-snapshots.ts';
import { type CopyReport, copyAndCompare, countRows, type OnMoveProgress } from './copy-and-compare.ts';
import { moveJobs } from './move-jobs.ts';
import { readMoveRecord, recordMoveStep, switchDirectory } from './move-record.ts';
import { type Move, type MoveAddresses, withMove } from './open-move.ts';
import { acceptWrites, makePausePermanent, pauseWrites, rejectAllWrites } from './pause-writes.ts';
import { prepareTarget } from './prepare-target.ts';
import { removeOldRows } from './remove-copy.ts';
import { stopCopy } from './replication.ts';
import { openSnapshots } from './snapshots.ts';

/** Up to this time the rows are compared again before the switch, otherwise after it. */
const maxCompareMs = 1_000;

export interface MoveOptions {
  /** Operations that began on the source may read there for this long after the switch. */
  readMs: number;
  onProgress: OnMoveProgress;
}

export interface MoveReport extends CopyComparison {
  seconds: number;
  /** Longest time for which writes of the business were rejected with UNAVAILABLE. Undefined if an earlier process made the switch. */
  pauseMs: number | undefined;
}

export const moveBusiness = (addresses: MoveAddresses, options: MoveOptions): Promise<MoveReport> =>
  withMove(addresses, async (move) => {
    const startedAt = performance.now();
    const record = await readMoveRecord(move.home, move.businessId);
    const isSwitched = record?.step === 'SWITCHED';
    if (isSwitched && record.target !== addresses.target.name)
      throw new OperatorError(`A move to ${record.target} is not finished.`);
    const report = isSwitched
      ? await finishInterruptedMove(move, record.report, options)
      : await copyAndMove(move, options);
    return { seconds: (performance.now() - startedAt) / 1000, ...report };
  });

type Result = Omit<MoveReport, 'seconds'>;

async function copyAndMove(move: Move, options: MoveOptions): Promise<Result> {
  const copied = await copyAndCompare(move, options.onProgress);
  if (copied.findings.length > 0) return copied;
  await options.onProgress('switch');
  const { comparison, isSwitched, pauseMs } = await switchServers(move, copied);
  const result = { ...comparison, pauseMs: Math.max(pauseMs, copied.pauseMs) };
  if (!isSwitched) return result;
  if (comparison.findings.length > 0) {
    await recordMoveStep(move, 'SWITCHED', { findings: comparison.findings.length });
    return result;
  }
  await finish(move, options);
  await recordMoveStep(move, 'MOVED', { pauseMs: result.pauseMs, rows: countRows(comparison) });
  return result;
}

/** Compares the rows in the pause if that is quick, and otherwise as of the pause, after the switch. Not switched: they differ. */
async function switchServers(
  move: Move,
  { compareSeconds }: CopyReport,
): Promise<{ comparison: CopyComparison; isSwitched: boolean; pauseMs: number }> {
  const tables = await listBusinessTables(move.source.connection);
  const snapshots = await openSnapshots(move);
  try {
    const { result, pauseMs } = await pauseWrites(move, tables, async () => {
      await snapshots.begin();
      const comparing = snapshots.compare(tables);
      // An error is thrown below.
      comparing.catch(() => {});
      await prepareTarget(move);
      const early = compareSeconds * 1000 < maxCompareMs ? await withinLimit(comparing) : undefined;
      if (early && early.findings.length > 0) return { comparing, isSwitched: false };
      if (!(await makePausePermanent(move))) {
        await comparing;
        return undefined;
      }
      await switchDirectory(move);
      await openTarget(move);
      return { comparing, isSwitched: true };
    });
    return { comparison: await result.comparing, isSwitched: result.isSwitched, pauseMs };
  } finally {
    await snapshots.close();
  }
}

/** For a moment both servers have the business for lookups on all servers, and never none. */
async function openTarget(move: Move): Promise<void> {
  await acceptWrites(move, move.target);
  await rejectAllWrites(move, move.source);
}

const withinLimit = <T>(promise: Promise<T>): Promise<T | undefined> =>
  Promise.race([promise, sleep(maxCompareMs, undefined)]);

async function finishInterruptedMove(
  move: Move,
  { findings = 0 }: { findings?: number },
  options: MoveOptions,
): Promise<Result> {
  if (findings > 0)
    throw new OperatorError(
      `The rows on ${move.source.name} and ${move.target.name} differed at the switch. Compare them, then set business_moves.report to '{}'.`,
    );
  await openTarget(move);
  await finish(move, options);
  await recordMoveStep(move, 'MOVED');
  return { tables: [], findings: [], pauseMs: undefined };
}

async function finish(move: Move, { readMs, onProgress }: MoveOptions): Promise<void> {
  const { source, target } = move;
  const tables: BusinessTable[] = await listBusinessTables(source.connection);
  await onProgress(`${target.name} has the business`);
  await stopCopy(move);
  await moveJobs(move, { all: false });
  await onProgress('wait for reads');
  await sleep(readMs);
  await onProgress('move the jobs');
  await moveJobs(move, { all: true });
  await onProgress(`remove the rows on ${source.name}`);
  await removeOldRows(move, tables);
}
