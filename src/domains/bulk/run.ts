/** Runs an operation in slices of a few seconds, so that others have their turn and little is lost with a process. */
import { z } from 'zod';
import type { Context, Services } from '../../context.ts';
import { AppError, forbidden } from '../../errors.ts';
import { defineJob, type Job, noData } from '../../ports/jobs.ts';
import { announce } from '../webhooks/announce.ts';
import { askerOf } from './asker.ts';
import { activeIds, end, Overtaken } from './claims.ts';
import { exportSlice } from './export-slice.ts';
import { importSlice, type Sliced } from './import-slice.ts';
import { activeStates, type StoredBulk } from './model.ts';
import { resources } from './resources.ts';
import { mayDo } from './rights.ts';
import { findStored } from './store.ts';

const sliceMs = 5_000;

/** Whether there is more to do. */
export async function runSlice(services: Services, id: string): Promise<boolean> {
  const operation = await findStored(services.db, id);
  if (!operation || !activeStates.includes(operation.state)) return false;
  const ctx = await askerOf(services, operation);
  try {
    const { isMore } = await slice(ctx, operation);
    if (!isMore) await finish(ctx, operation, 'COMPLETED');
    return isMore;
  } catch (error) {
    if (error instanceof Overtaken) return false;
    if (!(error instanceof AppError) || error.code === 'UNAVAILABLE' || error.code === 'TIMEOUT') throw error;
    const [detail] = error.details;
    await finish(ctx, operation, 'FAILED', `${detail?.error ?? error.code}: ${error.message}`);
    return false;
  }
}

async function slice(ctx: Context, operation: StoredBulk): Promise<Sliced> {
  if (!(await mayDo(ctx.viewer, operation))) throw forbidden();
  const until = performance.now() + sliceMs;
  const work = operation.kind === 'IMPORT' ? importSlice : exportSlice;
  return work(ctx, operation, resources[operation.resource], () => performance.now() > until);
}

function finish(
  ctx: Context,
  { id, businessId, kind, resource }: StoredBulk,
  state: 'COMPLETED' | 'FAILED',
  reason?: string,
): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    if (!(await end(tx, id, state, reason))) return;
    const data = { id, businessId, kind, resource, state };
    await announce(ctx, tx, businessId, [{ type: 'bulk.finished', data }]);
  });
}

export const runJob: Job<Services, { id: string }> = defineJob(
  'bulk-run',
  z.object({ id: z.string() }),
  async (services: Services, { id }) => {
    if (await runSlice(services, id)) await services.jobs.enqueue(services.db, runJob, { id }, { key: id });
  },
  { retries: 20, keyed: true, timeout: 120 },
);

/** What a process left behind when it died goes on; what goes on anyway is not done twice. */
export const resumeJob = defineJob(
  'bulk-resume',
  noData,
  async ({ db, jobs }: Services) => {
    for (const id of await activeIds(db)) await jobs.enqueue(db, runJob, { id }, { key: id });
  },
  { cron: '* * * * *', atStart: true, retries: 0 },
);
