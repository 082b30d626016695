/** What of the history grows old. Nothing else may go from it: the database refuses everybody but the sweep. */
import type { Sweep } from '../../db/sweep.ts';

export const sweeps: readonly Sweep[] = [
  { kept: 'changes', table: 'changes', old: 'created_at < $1 order by created_at' },
];
