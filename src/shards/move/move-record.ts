/** Record of the last move of each business in the directory: the step with which an interrupted one continues. */
import type { MaintenanceConnection } from '../../db/postgres/maintenance-connection.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { now } from '../../lib/time.ts';
import { homeServerName } from '../../shard-variables.ts';
import type { Move } from './open-move.ts';

/**
 * COPYING: the target gets a copy. REMOVING: the copy is being removed. SWITCHED: the target has the business, and the rows on the source
 * are being removed. REHEARSED, CANCELLED and MOVED: nothing is left to do.
 */
type MoveStep = 'COPYING' | 'REMOVING' | 'SWITCHED' | 'REHEARSED' | 'CANCELLED' | 'MOVED';

export const unfinishedMoveSteps: readonly MoveStep[] = ['COPYING', 'REMOVING', 'SWITCHED'];

interface MoveRecord {
  source: string;
  target: string;
  step: MoveStep;
  report: { findings?: number };
}

/** Whether a copy is on the target that is not in use. */
export const hasCopy = (record: MoveRecord | undefined): record is MoveRecord =>
  record?.step === 'COPYING' || record?.step === 'REMOVING';

export async function readMoveRecord(
  home: MaintenanceConnection,
  businessId: string,
): Promise<MoveRecord | undefined> {
  const [record] = await home.query<MoveRecord>(
    'SELECT source, target, step, report FROM business_moves WHERE business_id = $1',
    [businessId],
  );
  return record;
}

export async function recordMoveStep(
  { businessId, home, source, target }: Move,
  step: MoveStep,
  report: object = {},
): Promise<void> {
  await home.query(
    `INSERT INTO business_moves AS m (business_id, source, target, step, report, started_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)
     ON CONFLICT (business_id) DO UPDATE SET source = $2, target = $3, step = $4, report = $5, updated_at = $6,
       started_at = CASE WHEN $4 = 'COPYING' THEN $6 ELSE m.started_at END`,
    [businessId, source.name, target.name, step, JSON.stringify(report), now()],
  );
}

/** The switch: one statement, which also notifies every gateway. Afterwards the move only goes forward. */
export async function switchDirectory({ businessId, home, source, target }: Move): Promise<void> {
  const rows = await home.query(
    `WITH switched AS (
       UPDATE business_moves SET step = 'SWITCHED', updated_at = $4
       WHERE business_id = $1 AND source = $2 AND target = $3 AND step = 'COPYING' RETURNING business_id
     )
     INSERT INTO business_placements AS p (business_id, shard, updated_at) SELECT business_id, $3, $4 FROM switched
     ON CONFLICT (business_id) DO UPDATE SET shard = $3, version = p.version + 1, updated_at = $4 RETURNING 1`,
    [businessId, source.name, target.name, now()],
  );
  if (rows.length === 0) throw new Error('The record of the move was changed by another process.');
}

/** Another process may have moved the business before this one had the lock. */
export async function assertDirectoryNames({ businessId, home }: Move, server: string): Promise<void> {
  const [placement] = await home.query<{ shard: string }>(
    'SELECT shard FROM business_placements WHERE business_id = $1',
    [businessId],
  );
  const named = placement?.shard ?? homeServerName;
  if (named !== server) throw new OperatorError(`The directory names ${named}, not ${server}.`);
}
