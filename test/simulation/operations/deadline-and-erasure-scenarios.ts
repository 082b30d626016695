/** Scripted sequences: a provider that does not answer before the deadline, returned goods, and customers who delete their account. */
import { createAccount } from '../../support/accounts.ts';
import { callOperation } from '../call-operation.ts';
import { assertContract } from '../contract-violation.ts';
import { plans } from '../create-shop.ts';
import { expectedAmountDue, hasPermission } from '../model.ts';
import { reconcileAll } from '../reconcile-all.ts';
import { type Actor, createSecretText, type World } from '../world.ts';
import { checkFailedCheckout, lineInput, recordOrder } from './checkout.ts';
import { businessPath, type PlayOperation } from './operation.ts';
import {
  addStockedProduct,
  assertNetCaptured,
  beginScenario,
  changeOrder,
  createCart,
  orderCart,
  paymentPageId,
  payPage,
  requireOrder,
  runJobsAndCheck,
  type Scenario,
} from './scenario-steps.ts';
import { addPromoCode } from './staff-and-promo-codes.ts';

/** Deadline of operations while the provider hangs, in milliseconds; short, because the walk waits for it. */
export const hangingDeadlineMs = 3_000;

/**
 * Calls of the provider made by `work` are not answered before its deadline. Afterwards the provider does the work, or never will; jobs run
 * before or after that.
 */
async function whileProviderHangs<T>({ world, staff }: Scenario, work: () => Promise<T>): Promise<T> {
  const { ports, t } = world;
  const config = t.app.services.config as { operationTimeoutMs: number };
  const usualDeadlineMs = config.operationTimeoutMs;
  config.operationTimeoutMs = hangingDeadlineMs;
  ports.failure = 'hangs';
  try {
    return await work();
  } finally {
    ports.failure = undefined;
    config.operationTimeoutMs = usualDeadlineMs;
    if (staff.dice.chance(0.5)) await runJobsAndCheck(world);
    await ports.answerHangingCalls(staff.dice.chance(0.6));
    await runJobsAndCheck(world);
    world.clock.advance(2);
    await reconcileAll(world);
    await runJobsAndCheck(world);
  }
}

/** A refund that the provider does not answer is PENDING, and is paid once, whether or not the provider did the work. */
export const refundWhileProviderHangs: PlayOperation = async (world, context) => {
  const scenario = beginScenario(world, context);
  const { shop, staff } = scenario;
  const { id, page } = await orderCart(scenario, createCart(scenario, await addStockedProduct(scenario), 1));
  await payPage(scenario, page);
  const { total } = requireOrder(world, id);
  const amount = context.dice.between(1, total - 1);
  await whileProviderHangs(scenario, () =>
    callOperation(world, {
      operation: 'RefundOrder',
      actor: staff.actor,
      protocol: staff.protocol,
      input: { path: { ...businessPath(shop), id }, body: { amount } },
      expectedStatus: 200,
    }),
  );
  const refunds = Object.values((await world.ports.sandbox.find(page))?.refunds ?? {});
  const sum = refunds.reduce((paid, refund) => paid + refund, 0);
  assertContract(sum === amount, 'refunds at the provider', () => `${refunds}, expected ${amount}`);
  assertNetCaptured(requireOrder(world, id), total - amount);
};

const openPages = async ({ t }: World): Promise<Set<string>> => {
  const rows = await t.db.sql<{ id: string }>(`select id from sandbox_payments where state = 'OPEN'`);
  return new Set(rows.map(({ id }) => id));
};

/** A checkout whose page the provider does not open is undone: stock, promo code and key are as before, and a late page cannot be paid. */
export const checkoutWhileProviderHangs: PlayOperation = async (world, context) => {
  const scenario = beginScenario(world, context);
  const { shop, buyer } = scenario;
  const promoCode = await addPromoCode(world, scenario.staff, {
    shop,
    terms: { type: 'FIXED', amount: 333 },
    maxUses: 1,
  });
  const cart = createCart(scenario, await addStockedProduct(scenario), 1, promoCode);
  const text = createSecretText(
    world,
    (reader) =>
      reader.person?.userId === buyer.actor.person?.userId ||
      hasPermission(reader, 'ORDERS_READ', shop.number),
  );
  const checkout = {
    operation: 'Checkout',
    actor: buyer.actor,
    protocol: buyer.protocol,
    input: {
      path: businessPath(shop),
      body: {
        items: cart.lines.map(lineInput),
        market: 'US',
        shippingMethodId: 'pickup',
        promoCode,
        blocks: [{ id: 'note', type: 'TEXT', value: text }],
      },
    },
    idempotencyKey: text,
  };
  const before = await openPages(world);
  await whileProviderHangs(scenario, () => callOperation(world, { ...checkout, expectedStatus: 503 }));
  await checkFailedCheckout(world, text, shop, buyer.actor);
  for (const page of await openPages(world))
    assertContract(before.has(page), 'open page of a checkout that was undone', () => page);
  const body = await callOperation<{ orderId: string; checkoutUrl: string }>(world, {
    ...checkout,
    expectedStatus: 200,
  });
  await runJobsAndCheck(world);
  const id = body?.orderId ?? '';
  recordOrder(world, id, shop, buyer.actor);
  await payPage(scenario, paymentPageId(body ?? {}));
  assertNetCaptured(requireOrder(world, id), requireOrder(world, id).total);
};

/** Returned units are refunded once, return to stock, and are never due again. */
export const returnUnits: PlayOperation = async (world, context) => {
  const scenario = beginScenario(world, context);
  const { shop, buyer, staff } = scenario;
  const cart = { ...createCart(scenario, await addStockedProduct(scenario), 2), shippingMethodId: 'pickup' };
  const { id, page } = await orderCart(scenario, cart);
  await payPage(scenario, page);
  const { total } = requireOrder(world, id);
  for (const status of ['SHIPPED', 'DELIVERED'])
    await changeOrder(scenario, { operation: 'SetOrderStatus', id, body: { status } });
  let refunded = 0;
  for (const line of [0, 1]) {
    const requested = await callOperation<{ id: string }>(world, {
      operation: 'RequestReturn',
      actor: buyer.actor,
      protocol: buyer.protocol,
      input: { path: { ...businessPath(shop), id }, body: { lines: [{ line, quantity: 2 }] } },
      expectedStatus: 200,
    });
    const accept = {
      operation: 'AcceptReturn',
      actor: staff.actor,
      protocol: staff.protocol,
      input: { path: { ...businessPath(shop), id, returnId: requested?.id ?? '' }, body: {} },
      expectedStatus: 200,
    };
    // The same decision again changes nothing.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await callOperation(world, accept);
      await runJobsAndCheck(world);
    }
    const order = requireOrder(world, id);
    assertContract(order.refunded > refunded, 'refund of a return', () => JSON.stringify(order));
    refunded = order.refunded;
    const due = expectedAmountDue(order, refunded);
    assertContract(due === 0, 'due after a return', () => `${due} ${JSON.stringify(order)}`);
    await callOperation(world, {
      operation: 'CreatePaymentLink',
      actor: staff.actor,
      protocol: staff.protocol,
      input: { path: { ...businessPath(shop), id }, body: {} },
      expectedStatus: 422,
    });
  }
  assertContract(refunded === total, 'refund of all units', () => `${refunded} of ${total}`);
};

/** Who deletes the account is billed no more: open pages and renewals end, and paid orders keep their books. */
export const deleteAccount: PlayOperation = async (world, context) => {
  const scenario = beginScenario(world, context);
  const { shop } = scenario;
  // A renewal is retried until its first payment is recorded, whose event may be lost: the mails of the new account wait for no job.
  await reconcileAll(world);
  await runJobsAndCheck(world);
  const account = await createAccount(world.t);
  const actor: Actor = {
    name: 'customer',
    person: account,
    signedIn: true,
    roles: new Map(),
    provider: 'EMAIL',
  };
  const buyer = { ...scenario.buyer, actor };
  const own: Scenario = { ...scenario, buyer };
  const product = await addStockedProduct(own);
  const paid = await orderCart(own, createCart(own, product, 1));
  await payPage(own, paid.page);
  const open = await orderCart(own, createCart(own, product, 1));
  const subscribe = async (planId: string, collectionId: string) => {
    const body = await callOperation<{ checkoutUrl?: string }>(world, {
      operation: 'Subscribe',
      actor,
      protocol: buyer.protocol,
      input: { path: { ...businessPath(shop), collectionId }, body: { email: account.email, planId } },
      expectedStatus: 200,
    });
    return paymentPageId(body ?? {});
  };
  const subscription = await subscribe('silver', shop.newsletterId);
  const isRenewing = context.dice.chance(0.6);
  if (isRenewing) await payPage(own, subscription);
  await callOperation(world, {
    operation: 'DeleteMe',
    actor,
    protocol: buyer.protocol,
    input: { path: {}, body: { password: account.password } },
    expectedStatus: 200,
  });
  if (context.dice.chance(0.5)) await runJobsAndCheck(world);
  const renewal = await world.ports.sandbox.applyRecurringAction(subscription, 'renew');
  if (renewal) world.events.push(renewal);
  await runJobsAndCheck(world);
  await payPage(own, open.page);
  if (!isRenewing) await payPage(own, subscription);
  world.clock.advance(2);
  await reconcileAll(world);
  await runJobsAndCheck(world);
  assertNetCaptured(requireOrder(world, open.id), 0);
  assertNetCaptured(requireOrder(world, paid.id), requireOrder(world, paid.id).total);
  await assertNotBilled(world, subscription, isRenewing ? (plans.silver ?? 0) : 0);
};

/** What the provider took for a subscription, less its refunds. */
async function assertNotBilled({ t }: World, page: string, expected: number): Promise<void> {
  const [row] = await t.db.sql<{ active: number; kept: number }>(
    `select count(*) filter (where s.status = 'ACTIVE' or s.renewal_state in ('ACTIVE', 'PAST_DUE'))::int as active,
       (select coalesce(sum(a.captured - a.refunded_elsewhere - coalesce((select sum(r.amount) from refunds r
          where r.attempt_id = a.id and r.status = 'SUCCEEDED'), 0)), 0)::int from payment_attempts a
        where a.kind = 'subscription' and a.subject_id = any(array_agg(s.id))) as kept
     from subscriptions s where s.id::text = (select split_part(reference, ':', 2) from sandbox_payments where id = $1)`,
    [page],
  );
  assertContract(
    row?.active === 0 && row.kept === expected,
    'bills after the account was deleted',
    () => `${JSON.stringify(row)}, expected ${expected}`,
  );
}
