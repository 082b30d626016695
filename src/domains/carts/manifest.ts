/** Manifest of carts: webhook events, live topics, jobs, retention rules, registrations with other domains. Read by scripts/gather.ts. */
import './export-and-erase-personal-data.ts';
import './shipping-options-field.ts';
import type { RetentionRule } from '../../db/index.ts';
import { abandonedCartsJob } from './emit-abandoned-cart-events.ts';

export const webhookEvents = {
  'cart.abandoned': 'A cart with lines was not changed for 24 hours.',
};

export const liveTopics = ['cart'];

export const jobs = [abandonedCartsJob];

export const retentionRules: readonly RetentionRule[] = [
  { retentionKey: 'carts', table: 'carts', expiredCondition: 'updated_at < $1' },
];
