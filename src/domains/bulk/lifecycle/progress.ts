/**
 * How far an operation has come, written with what was done: whoever finds it elsewhere than they left it has been overtaken, by another
 * process or by somebody who cancelled it, and does no more.
 */
import type { Queries } from '../../../db/handles.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import type { BulkLineError, ExportPart } from '../model.ts';

export class OperationSuperseded extends Error {
  override readonly name = 'Overtaken';
}

/** So many errors are kept of one import; the others are counted. */
export const maxStoredLineErrors = 1000;

const isActive = `state in ('QUEUED', 'RUNNING')`;

const advanceStatement = `update bulk_operations
  set position = $3, line = $4, done = done + $5, failed = failed + $6, state = 'RUNNING', updated_at = $7
  where id = $1 and position = $2 and ${isActive} returning 1`;

export interface ImportStep {
  id: string;
  /** Where it stands, and where it stands after this line. */
  fromPosition: number;
  position: number;
  line: number;
}

export async function advanceImport(
  tx: Queries,
  { id, fromPosition: from, position, line }: ImportStep,
  { done = 0, failed = 0 }: { done?: number; failed?: number },
): Promise<void> {
  const moved = await tx.sql(advanceStatement, [id, from, position, line, done, failed, now()]);
  if (moved.length === 0) throw new OperationSuperseded();
}

export async function storeLineError(
  tx: Queries,
  id: string,
  { line, code, message, details }: Omit<BulkLineError, 'id'>,
): Promise<void> {
  await tx.sql(
    `insert into bulk_errors (id, operation_id, line, code, message, details)
     select $1, $2, $3, $4, $5, $6::jsonb from bulk_operations where id = $2 and failed <= ${maxStoredLineErrors}`,
    [newId(), id, line, code, message, JSON.stringify(details)],
  );
}

const appendStatement = `update bulk_operations
  set parts = parts || $3::jsonb, cursor = $4, done = done + $5, total = $6, state = 'RUNNING', updated_at = $7
  where id = $1 and jsonb_array_length(parts) = $2 and ${isActive} returning 1`;

export async function appendExportPart(
  tx: Queries,
  id: string,
  {
    parts,
    part,
    cursor,
    done,
    total,
  }: { parts: number; part: ExportPart; cursor: string | null; done: number; total: number },
): Promise<void> {
  const moved = await tx.sql(appendStatement, [
    id,
    parts,
    JSON.stringify([part]),
    cursor,
    done,
    total,
    now(),
  ]);
  if (moved.length === 0) throw new OperationSuperseded();
}

/** False: it was finished by somebody else. */
export async function finishBulkOperation(
  tx: Queries,
  id: string,
  state: 'COMPLETED' | 'FAILED',
  reason: string | undefined,
): Promise<boolean> {
  const ended = await tx.sql(
    `update bulk_operations set state = $2, reason = $3, total = done + failed, updated_at = $4, finished_at = $4
     where id = $1 and ${isActive} returning 1`,
    [id, state, reason ?? null, now()],
  );
  return ended.length > 0;
}

const mostAtOnce = 100;

/** Those that go on by themselves, oldest first. Asked every minute: a gateway that is idle needs no Prisma. */
export async function listActiveBulkIds(queries: Queries): Promise<string[]> {
  const found = await queries.sql<{ id: string }>(
    `select id from bulk_operations where ${isActive} order by updated_at limit ${mostAtOnce}`,
  );
  return found.map(({ id }) => id);
}
