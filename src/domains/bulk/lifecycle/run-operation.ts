/** Runs an operation in slices of a few seconds, so that others have their turn and little is lost with a process. */
import { z } from 'zod';
import type { Context, Services } from '../../../context.ts';
import { AppError, forbiddenError } from '../../../errors.ts';
import { defineJob, type Job, noJobData } from '../../../ports/jobs.ts';
import { emitWebhookEvents } from '../../webhooks/emit-events.ts';
import { activeBulkStates, type StoredBulkOperation } from '../model.ts';
import { resourceHandlers } from '../resources/handlers.ts';
import { exportSlice } from '../slices/export-slice.ts';
import { importSlice, type SliceResult } from '../slices/import-slice.ts';
import { findStoredBulkOperation } from './find-operations.ts';
import { isBulkAllowed } from './permissions.ts';
import { finishBulkOperation, listActiveBulkIds, OperationSuperseded } from './progress.ts';
import { createRequesterContext } from './requester-context.ts';

const sliceMs = 5_000;

/** Whether there is more to do. */
export async function runBulkSlice(services: Services, id: string): Promise<boolean> {
  const operation = await findStoredBulkOperation(services.db, id);
  if (!operation || !activeBulkStates.includes(operation.state)) return false;
  const ctx = await createRequesterContext(services, operation);
  try {
    const { hasMore: isMore } = await slice(ctx, operation);
    if (!isMore) await finish(ctx, operation, 'COMPLETED');
    return isMore;
  } catch (error) {
    if (error instanceof OperationSuperseded) return false;
    if (!(error instanceof AppError) || error.code === 'UNAVAILABLE' || error.code === 'TIMEOUT') throw error;
    const [detail] = error.details;
    await finish(ctx, operation, 'FAILED', `${detail?.error ?? error.code}: ${error.message}`);
    return false;
  }
}

async function slice(ctx: Context, operation: StoredBulkOperation): Promise<SliceResult> {
  if (!(await isBulkAllowed(ctx.viewer, operation))) throw forbiddenError();
  const until = performance.now() + sliceMs;
  const work = operation.kind === 'IMPORT' ? importSlice : exportSlice;
  return work(ctx, operation, resourceHandlers[operation.resource], () => performance.now() > until);
}

function finish(
  ctx: Context,
  { id, businessId, kind, resource }: StoredBulkOperation,
  state: 'COMPLETED' | 'FAILED',
  reason?: string,
): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    if (!(await finishBulkOperation(tx, id, state, reason))) return;
    const data = { id, businessId, kind, resource, state };
    await emitWebhookEvents(ctx, tx, businessId, [{ type: 'bulk.finished', data }]);
  });
}

export const runBulkJob: Job<Services, { id: string }> = defineJob(
  'bulk-run',
  z.object({ id: z.string() }),
  async (services: Services, { id }) => {
    if (await runBulkSlice(services, id))
      await services.jobs.enqueue(services.db, runBulkJob, { id }, { key: id });
  },
  { retries: 20, deduplicateByKey: true, timeout: 120 },
);

/** What a process left behind when it died goes on; what goes on anyway is not done twice. */
export const resumeBulkJob = defineJob(
  'bulk-resume',
  noJobData,
  async ({ db, jobs }: Services) => {
    for (const id of await listActiveBulkIds(db)) await jobs.enqueue(db, runBulkJob, { id }, { key: id });
  },
  { cron: '* * * * *', atStart: true, retries: 0 },
);
