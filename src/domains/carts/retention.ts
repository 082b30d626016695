/** What of carts grows old: those that nobody has changed for long. */
import type { Sweep } from '../../db/sweep.ts';

export const sweeps: readonly Sweep[] = [{ kept: 'carts', table: 'carts', old: 'updated_at < $1' }];
