/** Webhook events, live topics, jobs and retention rules of carts. Read by scripts/gather.ts. */
import type { RetentionRule } from '../../db/index.ts';
import { emitAbandonedCartEventsJob } from './emit-abandoned-cart-events.ts';

export const webhookEvents = { 'cart.abandoned': 'A cart with lines was not changed for 24 hours.' };

export const liveTopics = ['cart'];

export const jobs = [emitAbandonedCartEventsJob];

export const retentionRules: readonly RetentionRule[] = [
  { retentionKey: 'carts', table: 'carts', expiredCondition: 'updated_at < $1' },
];
