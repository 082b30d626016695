/** Applies renewal events to stored subscriptions: the rules decide, their effects run in the same transaction. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { now } from '../../../lib/time.ts';
import type { WebhookEvent } from '../../webhooks/webhook-event-types.ts';
import { buildRenewalEvent } from '../build-events.ts';
import { queueRenewalMail } from '../mail/queue-renewal-mails.ts';
import type { StoredNewsletterSubscription } from '../model.ts';
import {
  type Renewal,
  type RenewalEffect,
  type RenewalEvent,
  transitionRenewal,
} from '../renewal-state-machine.ts';
import { saveSubscription } from '../subscriptions/save-subscription.ts';
import { queueProviderCancellation } from './queue-and-run-provider-cancellations.ts';
import { toRenewal, toStoredRenewalFields } from './renewal-of-stored-subscription.ts';

type Change = (effects: readonly RenewalEffect[]) => Partial<StoredNewsletterSubscription>;

/** The caller holds the row lock of `before`. `change` returns further fields to save, given the effects. Returns the saved subscription and the effects. */
export async function applyRenewalEvent(
  services: Services,
  tx: QueryHandle,
  before: StoredNewsletterSubscription,
  event: RenewalEvent,
  change: Change = () => ({}),
): Promise<{ subscription: StoredNewsletterSubscription; effects: readonly RenewalEffect[] }> {
  const renewal = toRenewal(before);
  const grace = services.config.subscriptionGrace;
  const transition = renewal && transitionRenewal(renewal, event, { time: now(), grace });
  const effects = transition?.effects ?? [];
  const changes = {
    ...(transition && transition.renewal !== renewal ? renewalChanges(before, transition.renewal) : {}),
    ...change(effects),
  };
  const subscription =
    Object.keys(changes).length === 0
      ? before
      : await saveSubscription(services, tx, before, { ...before, ...changes }, (after) =>
          renewalEvents(effects, after),
        );
  const { recurringId } = before;
  if (effects.includes('cancelAtProvider') && recurringId !== undefined)
    await queueProviderCancellation(services, tx, recurringId);
  if (effects.includes('mailFailed')) await queueRenewalMail(services, tx, 'failed', subscription);
  if (effects.includes('mailEnded')) await queueRenewalMail(services, tx, 'ended', subscription);
  return { subscription, effects };
}

const renewalChanges = (
  { status }: StoredNewsletterSubscription,
  renewal: Renewal,
): Partial<StoredNewsletterSubscription> => ({
  ...toStoredRenewalFields(renewal),
  ...(renewal.state === 'ENDED' && status === 'ACTIVE' ? { status: 'CANCELLED' } : {}),
});

const eventTypes = {
  emitRenewed: 'subscription.renewed',
  emitPastDue: 'subscription.past_due',
  emitEnded: 'subscription.ended',
} as const;

const renewalEvents = (
  effects: readonly RenewalEffect[],
  after: StoredNewsletterSubscription,
): WebhookEvent[] =>
  effects.flatMap((effect) =>
    effect in eventTypes ? [buildRenewalEvent(eventTypes[effect as keyof typeof eventTypes], after)] : [],
  );
