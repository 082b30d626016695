/** What of payments grows old: by then no provider delivers an event again. */
import type { Sweep } from '../../db/sweep.ts';

export const sweeps: readonly Sweep[] = [
  { kept: 'paymentEvents', table: 'payment_events', old: 'received_at < $1' },
];
