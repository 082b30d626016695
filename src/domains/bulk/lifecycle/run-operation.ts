/** Jobs that run operations in slices of a few seconds: other jobs get their share, and a crash loses little work. */
import { z } from 'zod';
import type { Context, Services } from '../../../context.ts';
import { buildWritableBusinessSql, type QueryHandle } from '../../../db/index.ts';
import { AppError, forbiddenError } from '../../../errors.ts';
import { defineJob, type JobDefinition, noJobDataSchema } from '../../../ports/jobs.ts';
import { emitWebhookEvents } from '../../webhooks/emit-events.ts';
import { activeBulkStates, type StoredBulkOperation } from '../model.ts';
import { bulkHandlerByResource } from '../resources/handlers-by-resource.ts';
import { runExportSlice } from '../slices/export-slice.ts';
import { type BulkSliceResult, runImportSlice } from '../slices/import-slice.ts';
import { isBulkAllowed } from './bulk-permission-checks.ts';
import { findStoredBulkOperation } from './find-and-cancel-operations.ts';
import {
  activeBulkOperationConditionSql,
  BulkOperationSupersededError,
  finishBulkOperation,
} from './progress.ts';
import { createBulkRequesterContext } from './requester-context.ts';

/** Lists the active operations, which a job resumes. */
const maxActiveIds = 100;

/** Active operations, least recently updated first. Plain SQL because it runs every minute: an idle gateway does not load Prisma. */
async function listActiveBulkIds(queries: QueryHandle): Promise<string[]> {
  const rows = await queries.sql<{ id: string }>(
    `select id from bulk_operations o where ${activeBulkOperationConditionSql} and ${buildWritableBusinessSql('o.business_id')} order by updated_at limit ${maxActiveIds}`,
  );
  return rows.map(({ id }) => id);
}

const sliceMs = 5_000;

/** Processes one slice. Returns whether more work remains. */
export async function runBulkSlice(services: Services, id: string): Promise<boolean> {
  const operation = await findStoredBulkOperation(services.db, id);
  if (!operation || !activeBulkStates.includes(operation.state)) return false;
  const ctx = await createBulkRequesterContext(services, operation);
  try {
    const { hasMore } = await processSlice(ctx, operation);
    if (!hasMore) await finish(ctx, operation, 'COMPLETED');
    return hasMore;
  } catch (error) {
    if (error instanceof BulkOperationSupersededError) return false;
    if (!(error instanceof AppError) || error.code === 'UNAVAILABLE' || error.code === 'TIMEOUT') throw error;
    await finish(ctx, operation, 'FAILED', formatReason(error));
    return false;
  }
}

const maxDetailsOfReason = 5;

function formatReason({ code, message, details }: AppError): string {
  const [first] = details;
  if (!first) return `${code}: ${message}`;
  const messages = details.slice(0, maxDetailsOfReason).map((detail) => detail.message);
  return `${first.error}: ${messages.join(' ')}`;
}

async function processSlice(ctx: Context, operation: StoredBulkOperation): Promise<BulkSliceResult> {
  if (!(await isBulkAllowed(ctx.viewer, operation))) throw forbiddenError();
  const deadline = performance.now() + sliceMs;
  const runSlice = operation.kind === 'IMPORT' ? runImportSlice : runExportSlice;
  return runSlice(
    ctx,
    operation,
    bulkHandlerByResource[operation.resource],
    () => performance.now() > deadline,
  );
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

export const runBulkJob: JobDefinition<Services, { id: string }> = defineJob(
  'bulk-run',
  z.object({ id: z.string() }),
  async (services: Services, { id }) => {
    if (await runBulkSlice(services, id))
      await services.jobs.enqueue(services.db, runBulkJob, { id }, { key: id });
  },
  { retries: 20, deduplicateByKey: true, timeout: 120 },
);

/** Resumes the operations of crashed processes. The job key deduplicates operations that are queued or running. */
export const resumeBulkJob = defineJob(
  'bulk-resume',
  noJobDataSchema,
  async ({ db, jobs }: Services) => {
    for (const id of await listActiveBulkIds(db)) await jobs.enqueue(db, runBulkJob, { id }, { key: id });
  },
  { cron: '* * * * *', atStart: true, retries: 0 },
);
