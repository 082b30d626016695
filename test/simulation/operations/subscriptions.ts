/** Newsletter subscriptions with free, one-time and renewing plans: subscribe, change plan, cancel, unsubscribe and bill. */
import { sandboxSubscriptionActions } from '../../../src/adapters/payments/sandbox-subscriptions.ts';
import { processProviderCancellations } from '../../../src/domains/newsletter/billing/queue-and-run-provider-cancellations.ts';
import { syncDueRenewals } from '../../../src/domains/newsletter/billing/sync-renewals.ts';
import { createUnsubscribeToken } from '../../../src/domains/newsletter/mail/mail-tokens.ts';
import { callOperation } from '../call-operation.ts';
import { plans } from '../create-shop.ts';
import type { KnownShop, World } from '../world.ts';
import { businessPath, type PlayOperation, pickShop } from './operation.ts';

const pageOf = (checkoutUrl: string): string => checkoutUrl.split('/').at(-1) ?? '';

export const subscribe: PlayOperation = async (world, { actor, protocol, dice }) => {
  const shop = pickShop(world, dice);
  const planId = dice.oneOf(['free', 'once', 'silver', 'gold', 'bronze']);
  const isPaid = (plans[planId] ?? 0) > 0;
  const email = `reader-${dice.between(1, 12)}@people.example`;
  const body = await callOperation<{ checkoutUrl?: string }>(world, {
    operation: 'Subscribe',
    actor,
    protocol,
    input: {
      path: { ...businessPath(shop), collectionId: shop.newsletterId },
      body: { email, planId },
    },
    expectedStatus: !actor.signedIn
      ? 401
      : planId === 'bronze'
        ? 422
        : isPaid && world.ports.failure
          ? [200, 503]
          : 200,
  });
  if (body?.checkoutUrl) world.paymentPages.push(pageOf(body.checkoutUrl));
};

/** Changes a subscription with the token from a mail; a token of the other business is rejected. */
export const changeSubscription: PlayOperation = async (world, { protocol, dice }) => {
  const shop = pickShop(world, dice);
  const subscribers = await loadSubscribers(world, shop);
  const subscriber = dice.pick(subscribers);
  if (!subscriber) return;
  const operation = dice.oneOf(['ChangePlan', 'CancelSubscription', 'ResumeSubscription', 'Unsubscribe']);
  const isForeign = dice.chance(0.1);
  const { businessId } = world.shops[isForeign ? (shop.number === 0 ? 1 : 0) : shop.number];
  const token = createUnsubscribeToken(world.t.app.services.keys.secret, businessId, subscriber.id);
  const planId = dice.oneOf(['free', 'once', 'silver', 'gold']);
  const body = await callOperation<{ checkoutUrl?: string }>(world, {
    operation,
    actor: world.actors.anonymous,
    protocol,
    input: {
      path: operation === 'Unsubscribe' ? businessPath(shop) : { ...businessPath(shop), id: subscriber.id },
      body: { token, ...(operation === 'ChangePlan' ? { planId } : {}) },
    },
    expectedStatus: isForeign
      ? 422
      : expectedStatuses(operation, subscriber, world.ports.failure !== undefined),
  });
  if (body?.checkoutUrl) world.paymentPages.push(pageOf(body.checkoutUrl));
};

interface KnownSubscriber {
  id: string;
  status: string;
  isRenewing: boolean;
}

const loadSubscribers = ({ t }: World, { businessId }: KnownShop): Promise<KnownSubscriber[]> =>
  t.db.sql<KnownSubscriber>(
    `select id, status::text as status, coalesce(renewal_state in ('ACTIVE', 'PAST_DUE'), false) as "isRenewing" from subscriptions
     where business_id = $1 order by key`,
    [businessId],
  );

/** Expected statuses. A subscriber who unsubscribed and came back, or whose renewal the provider ended, has nothing to cancel. */
function expectedStatuses(
  operation: string,
  { status, isRenewing }: KnownSubscriber,
  isFailing: boolean,
): number[] {
  const unavailable = isFailing ? [503] : [];
  if (operation === 'Unsubscribe') return [200];
  if (operation === 'ChangePlan') return status === 'ACTIVE' ? [200, ...unavailable] : [422];
  return isRenewing ? [200, 422, ...unavailable] : [422];
}

/** At the provider: bills the next period early, lets a payment fail or succeed later, or ends the subscription. */
export const billSubscription: PlayOperation = async (world, { dice }) => {
  const rows = await world.t.db.sql<{ page: string }>(
    `select s.session_id as page from sandbox_subscriptions s join sandbox_payments p on p.id = s.session_id
     where s.state <> 'ENDED' order by p.reference`,
  );
  const page = dice.pick(rows)?.page;
  if (page === undefined) return;
  const action = dice.chance(0.5) ? 'renew' : dice.oneOf(sandboxSubscriptionActions);
  const event = await world.ports.sandbox.applyRecurringAction(page, action);
  if (event) world.events.push(event);
};

/** Bills due periods at the provider and runs the cron jobs of renewals. */
export const runRenewals: PlayOperation = async (world) => {
  await world.ports.sandbox.createDueInvoices?.();
  await syncDueRenewals(world.t.app.services);
  await processProviderCancellations(world.t.app.services);
};
