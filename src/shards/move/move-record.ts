/** Record of the last move of each business in the directory: the step with which an interrupted one continues. */
import type { MaintenanceConnection } from '../../db/postgres/maintenance-connection.ts';
import { now } from '../../lib/time.ts';
import type { Move } from './open-move.ts';

/**
 * COPYING: the target gets a copy. REMOVING: the copy is being removed. REHEARSED and CANCELLED: nothing is left of it.
 */
type MoveStep = 'COPYING' | 'REMOVING' | 'REHEARSED' | 'CANCELLED';

interface MoveRecord {
  source: string;
  target: string;
  step: MoveStep;
}

export const isUnfinished = (record: MoveRecord | undefined): record is MoveRecord =>
  record?.step === 'COPYING' || record?.step === 'REMOVING';

export async function readMoveRecord(
  home: MaintenanceConnection,
  businessId: string,
): Promise<MoveRecord | undefined> {
  const [record] = await home.query<MoveRecord>(
    'SELECT source, target, step FROM business_moves WHERE business_id = $1',
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
