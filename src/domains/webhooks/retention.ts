/** What of webhooks grows old. Events go with their deliveries. */
import type { Sweep } from '../../db/sweep.ts';

export const sweeps: readonly Sweep[] = [
  { kept: 'webhooks', table: 'webhook_events', old: 'created_at < $1' },
];
