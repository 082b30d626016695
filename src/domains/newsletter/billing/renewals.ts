/** What renews, in the database: every event goes through the rules, and their effects happen in the same transaction. */
import type { Services } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { now } from '../../../lib/time.ts';
import type { WebhookEvent } from '../../webhooks/events.ts';
import { buildRenewalEvent } from '../events.ts';
import { queueRenewalMail } from '../mail/renewal-mails.ts';
import type { RenewalInfo, StoredSubscription } from '../model.ts';
import {
  computeProviderCheckTime,
  type Renewal,
  type RenewalEffect,
  type RenewalEvent,
  transitionRenewal,
} from '../rules.ts';
import { saveSubscription } from '../subscribe/subscription-store.ts';
import { cancelAtProvider } from './provider-cancellations.ts';

/** Undefined for what does not renew. */
export function toRenewal({
  renewalState: state,
  currentPeriodStart: periodStart,
  currentPeriodEnd: periodEnd,
  cancelAtPeriodEnd = false,
  graceUntil,
}: RenewalInfo): Renewal | undefined {
  if (state === undefined || periodStart === undefined || periodEnd === undefined) return undefined;
  return { state, periodStart, periodEnd, cancelAtPeriodEnd, graceUntil };
}

type RenewalFields = Required<Pick<StoredSubscription, keyof RenewalInfo | 'checkAt'>>;

/** What a subscription carries of its renewal; of one that does not renew, nothing. */
export const toRenewalFields = (renewal: Renewal | undefined): RenewalFields => ({
  renewalState: renewal?.state,
  currentPeriodStart: renewal?.periodStart,
  currentPeriodEnd: renewal?.periodEnd,
  cancelAtPeriodEnd: renewal?.cancelAtPeriodEnd,
  graceUntil: renewal?.graceUntil,
  checkAt: renewal && computeProviderCheckTime(renewal),
});

export const isRenewing = ({ renewalState }: RenewalInfo): boolean =>
  renewalState === 'ACTIVE' || renewalState === 'PAST_DUE';

type Change = (effects: readonly RenewalEffect[]) => Partial<StoredSubscription>;

/** For a subscription that is locked. `change` is what else becomes of it. Returns it, and what the rules asked for. */
export async function applyRenewalEvent(
  services: Services,
  tx: Queries,
  before: StoredSubscription,
  event: RenewalEvent,
  change: Change = () => ({}),
): Promise<{ subscription: StoredSubscription; effects: readonly RenewalEffect[] }> {
  const renewal = toRenewal(before);
  const grace = services.config.subscriptionGrace;
  const step = renewal && transitionRenewal(renewal, event, { time: now(), grace });
  const effects = step?.effects ?? [];
  const changes = {
    ...(step && step.renewal !== renewal ? moved(before, step.renewal) : {}),
    ...change(effects),
  };
  const subscription =
    Object.keys(changes).length === 0
      ? before
      : await saveSubscription(services, tx, before, { ...before, ...changes }, (after) =>
          announced(effects, after),
        );
  const { recurringId } = before;
  if (effects.includes('endAtProvider') && recurringId !== undefined)
    await cancelAtProvider(services, tx, recurringId);
  if (effects.includes('mailFailed')) await queueRenewalMail(services, tx, 'failed', subscription);
  if (effects.includes('mailEnded')) await queueRenewalMail(services, tx, 'ended', subscription);
  return { subscription, effects };
}

const moved = ({ status }: StoredSubscription, renewal: Renewal): Partial<StoredSubscription> => ({
  ...toRenewalFields(renewal),
  ...(renewal.state === 'ENDED' && status === 'ACTIVE' ? { status: 'CANCELLED' } : {}),
});

const types = {
  announceRenewed: 'subscription.renewed',
  announcePastDue: 'subscription.past_due',
  announceEnded: 'subscription.ended',
} as const;

const announced = (effects: readonly RenewalEffect[], after: StoredSubscription): WebhookEvent[] =>
  effects.flatMap((effect) =>
    effect in types ? [buildRenewalEvent(types[effect as keyof typeof types], after)] : [],
  );
