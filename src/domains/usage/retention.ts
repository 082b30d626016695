/** What of usage grows old. */
import type { Sweep } from '../../db/sweep.ts';

export const sweeps: readonly Sweep[] = [{ kept: 'usage', table: 'usage', old: 'day < $1' }];
