/** Readers of plans that are paid once, renew or are free: they join, change their plan, cancel and leave; the provider bills them. */
import { sandboxRecurringActions } from '../../../src/adapters/payments/sandbox-recurring.ts';
import { processProviderCancellations } from '../../../src/domains/newsletter/billing/provider-cancellations.ts';
import { syncDueRenewals } from '../../../src/domains/newsletter/billing/sync-renewals.ts';
import { createUnsubscribeToken } from '../../../src/domains/newsletter/mail/mail-tokens.ts';
import { callOperation } from '../call-operation.ts';
import { plans } from '../create-shop.ts';
import type { KnownShop, World } from '../world.ts';
import { type PlayOperation, businessPath, pickShop } from './operation.ts';

const pageOf = (checkoutUrl: string): string => checkoutUrl.split('/').at(-1) ?? '';

export const subscribe: PlayOperation = async (world, { actor, protocol: voice, dice }) => {
  const shop = pickShop(world, dice);
  const planId = dice.oneOf(['free', 'once', 'silver', 'gold', 'bronze']);
  const isPaid = (plans[planId] ?? 0) > 0;
  const email = `reader-${dice.between(1, 12)}@people.example`;
  const body = await callOperation<{ checkoutUrl?: string }>(world, {
    operation: 'Subscribe',
    actor,
    protocol: voice,
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

/** Whoever has the token of a mail may; a token of the other shop fits nothing. */
export const changeSubscription: PlayOperation = async (world, { protocol: voice, dice }) => {
  const shop = pickShop(world, dice);
  const known = await readersOf(world, shop);
  const reader = dice.pick(known);
  if (!reader) return;
  const operation = dice.oneOf(['ChangePlan', 'CancelSubscription', 'ResumeSubscription', 'Unsubscribe']);
  const isForeign = dice.chance(0.1);
  const { businessId } = world.shops[isForeign ? (shop.number === 0 ? 1 : 0) : shop.number];
  const token = createUnsubscribeToken(world.t.app.services.keys.secret, businessId, reader.id);
  const planId = dice.oneOf(['free', 'once', 'silver', 'gold']);
  const body = await callOperation<{ checkoutUrl?: string }>(world, {
    operation,
    actor: world.actors.nobody,
    protocol: voice,
    input: {
      path: operation === 'Unsubscribe' ? businessPath(shop) : { ...businessPath(shop), id: reader.id },
      body: { token, ...(operation === 'ChangePlan' ? { planId } : {}) },
    },
    expectedStatus: isForeign ? 422 : allowed(operation, reader, world.ports.failure !== undefined),
  });
  if (body?.checkoutUrl) world.paymentPages.push(pageOf(body.checkoutUrl));
};

interface KnownReader {
  id: string;
  status: string;
  isRenewing: boolean;
}

const readersOf = ({ t }: World, { businessId }: KnownShop): Promise<KnownReader[]> =>
  t.db.sql<KnownReader>(
    `select id, status::text as status, coalesce(renewal_state in ('ACTIVE', 'PAST_DUE'), false) as "isRenewing" from subscriptions
     where business_id = $1 order by key`,
    [businessId],
  );

/** What left and came back is paid to its end and has nothing to cancel; so has what the provider ended without a word. */
function allowed(operation: string, { status, isRenewing }: KnownReader, isTroubled: boolean): number[] {
  const unavailable = isTroubled ? [503] : [];
  if (operation === 'Unsubscribe') return [200];
  if (operation === 'ChangePlan') return status === 'ACTIVE' ? [200, ...unavailable] : [422];
  return isRenewing ? [200, 422, ...unavailable] : [422];
}

/** The bank and the shop: a period is billed before its time, fails, is paid after all, or is ended at the provider. */
export const billSubscription: PlayOperation = async (world, { dice }) => {
  const rows = await world.t.db.sql<{ page: string }>(
    `select s.session_id as page from sandbox_subscriptions s join sandbox_payments p on p.id = s.session_id
     where s.state <> 'ENDED' order by p.reference`,
  );
  const page = dice.pick(rows)?.page;
  if (page === undefined) return;
  const action = dice.chance(0.5) ? 'renew' : dice.oneOf(sandboxRecurringActions);
  const event = await world.ports.sandbox.applyRecurringAction(page, action);
  if (event) world.events.push(event);
};

/** A month goes by at the provider, and the jobs that go by the clock run. */
export const runRenewals: PlayOperation = async (world) => {
  await world.ports.sandbox.billDue?.();
  await syncDueRenewals(world.t.app.services);
  await processProviderCancellations(world.t.app.services);
};
