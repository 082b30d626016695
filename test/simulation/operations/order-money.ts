/** Random operations on the money of orders: edited amounts, shipments, returns, refunds at the provider, and retries of failed refunds. */
import { now } from '../../../src/lib/time.ts';
import { listFailedWork } from '../../../src/maintenance/failed-work.ts';
import { deliverPaymentEvent } from '../../support/payment-events.ts';
import { retryAsOperator } from '../../support/retry-as-operator.ts';
import { callOperation } from '../call-operation.ts';
import { assertContract } from '../contract-violation.ts';
import { computeTaxesByRate } from '../model.ts';
import { checkRecords, type ObservedOrder } from '../record-invariants.ts';
import type { Dice } from '../seeded-random.ts';
import type { Actor, KnownOrder, World } from '../world.ts';
import { adminOf, businessPath, type PlayOperation } from './operation.ts';
import { readOrder } from './reads.ts';
import {
  addStockedProduct,
  beginScenario,
  changeOrder,
  createCart,
  orderCart,
  payPage,
  requireOrder,
} from './scenario-steps.ts';

interface PickedOrder {
  order: KnownOrder;
  observed: ObservedOrder;
  admin: Actor;
  path: Record<string, string>;
}

function pickOrder(
  world: World,
  dice: Dice,
  isWanted: (order: ObservedOrder) => boolean = () => true,
): PickedOrder | undefined {
  const candidates = world.orders.flatMap((order) => {
    const observed = world.observed.records.get(order.id)?.order;
    return observed && isWanted(observed) ? [{ order, observed }] : [];
  });
  const picked = dice.pick(dice.chance(0.7) ? candidates.slice(-8) : candidates);
  if (!picked) return undefined;
  const shop = world.shops[picked.order.shop];
  return {
    ...picked,
    admin: adminOf(world, shop),
    path: { ...businessPath(shop), id: picked.order.id },
  };
}

/** Reads the order by both protocols, which compares its amount due with the model. */
async function readDue(world: World, { order, admin }: PickedOrder): Promise<number> {
  await checkRecords(world);
  const body = await readOrder(world, order, { named: world.shops[order.shop], actor: admin });
  return Number(body?.amountDue);
}

const requireObserved = ({ observed }: World, { order }: PickedOrder): ObservedOrder =>
  observed.records.get(order.id)?.order as ObservedOrder;

type Amounts = Pick<ObservedOrder, 'subtotal' | 'tax' | 'shipping' | 'discount' | 'total'>;

const amountsOf = ({ subtotal, tax, shipping, discount, total }: ObservedOrder): Amounts => ({
  subtotal,
  tax,
  shipping,
  discount,
  total,
});

/** Changes amounts, sends the order back as it is, or changes something else: only what was sent changes. */
export const editAmounts: PlayOperation = async (world, { protocol, dice }) => {
  const picked = pickOrder(world, dice);
  if (!picked) return;
  const { observed, admin, path } = picked;
  const { id: _id, ...business } = path;
  const kind = dice.oneOf(['echo', 'locale', 'shipping', 'discount', 'discount', 'tax', 'lines'] as const);
  const lines = observed.lines.map(({ productId, variantId, quantity }) => ({
    productId,
    variantId,
    quantity: dice.chance(0.3) ? dice.between(1, 3) : quantity,
  }));
  const { total: _total, subtotal: _subtotal, ...shares } = amountsOf(observed);
  const changes = {
    echo: {
      ...shares,
      lines: observed.lines.map(({ productId, variantId, quantity, unitPrice }) => ({
        productId,
        variantId,
        quantity,
        unitPrice,
      })),
    },
    locale: { locale: dice.oneOf(['de-AT', 'en']) },
    shipping: { shipping: dice.between(0, 3) * 295 },
    discount: { discount: dice.between(0, observed.subtotal) },
    tax: { tax: dice.between(0, 300) },
    lines: { lines },
  };
  const body = await callOperation(world, {
    operation: 'UpdateOrder',
    actor: admin,
    protocol,
    input: { path: business, body: { id: observed.id, ...changes[kind] } },
    expectedStatus: kind === 'lines' || kind === 'echo' ? [200, 409, 422] : 200,
  });
  if (!body) return;
  await checkRecords(world);
  const after = requireObserved(world, picked);
  const describe = () => `${kind}: ${JSON.stringify({ before: observed, after })}`;
  const sharesOf = ({ lines: all }: ObservedOrder) =>
    JSON.stringify(all.map(({ quantity, unitPrice, discount, tax }) => [quantity, unitPrice, discount, tax]));
  if (kind === 'echo' || kind === 'locale' || kind === 'shipping')
    assertContract(
      sharesOf(after) === sharesOf(observed),
      'shares of an order that was not repriced',
      describe,
    );
  if (kind === 'echo' || kind === 'locale')
    assertContract(
      JSON.stringify(amountsOf(after)) === JSON.stringify(amountsOf(observed)),
      'amounts of an order that was not changed',
      describe,
    );
  if (kind === 'lines' || kind === 'discount')
    assertContract(!followsRates(observed) || followsRates(after), 'tax of a repriced order', describe);
  await readDue(world, picked);
};

/** Whether the tax is that of the rates of the lines. */
function followsRates({ taxBps, tax, lines }: ObservedOrder): boolean {
  const taxes = computeTaxesByRate(
    lines.map((line) => ({ ...line, price: line.unitPrice, taxBps: line.taxBps ?? taxBps ?? 0 })),
  );
  return taxBps !== null && tax === [...taxes.values()].reduce((sum, share) => sum + share, 0);
}

/** Ships some units. */
export const shipUnits: PlayOperation = async (world, { protocol, dice }) => {
  const picked = pickOrder(world, dice, ({ status }) => status === 'PENDING' || status === 'PROCESSING');
  if (!picked) return;
  const line = dice.between(0, picked.observed.lines.length - 1);
  await callOperation(world, {
    operation: 'CreateFulfilment',
    actor: picked.admin,
    protocol,
    input: {
      path: picked.path,
      body: dice.chance(0.5) ? {} : { lines: [{ line, quantity: dice.between(1, 2) }] },
    },
    expectedStatus: [200, 422],
  });
};

/** Returns shipped units, with a refund of their price, of another amount, or none. What the customer owes never grows. */
export const returnGoods: PlayOperation = async (world, { protocol, dice }) => {
  const picked = pickOrder(world, dice, ({ fulfilments }) => (fulfilments?.length ?? 0) > 0);
  if (!picked) return;
  const { observed, admin, path } = picked;
  const line = dice.between(0, observed.lines.length - 1);
  const quantity = dice.between(1, observed.lines[line]?.quantity ?? 1);
  const requested = await callOperation<{ id: string }>(world, {
    operation: 'RequestReturn',
    actor: admin,
    protocol,
    input: { path, body: { lines: [{ line, quantity }] } },
    expectedStatus: [200, 422],
  });
  if (!requested) return;
  const before = await readDue(world, picked);
  const accepted = dice.between(1, quantity);
  const refund = dice.oneOf([undefined, undefined, 0, dice.between(1, 900)]);
  await callOperation(world, {
    operation: 'AcceptReturn',
    actor: admin,
    protocol,
    input: {
      path: { ...path, returnId: requested.id },
      body: {
        restock: dice.chance(0.6),
        ...(refund === undefined ? {} : { refund }),
        ...(accepted < quantity ? { lines: [{ line, quantity: accepted }], refusal: 'Worn.' } : {}),
      },
    },
    expectedStatus: refund === 0 ? 200 : [200, 422],
  });
  await assertNotDueAgain(world, picked, before);
};

/** A return or refund never asks for more than before. */
async function assertNotDueAgain(world: World, picked: PickedOrder, before: number): Promise<void> {
  const after = await readDue(world, picked);
  assertContract(
    after <= Math.max(0, before),
    'due again',
    () =>
      `${before} became ${after}: ${JSON.stringify(picked.observed)} ${JSON.stringify(requireObserved(world, picked))}`,
  );
}

/** Staff and the operator retry failed refunds. */
export const retryRefunds: PlayOperation = async (world, { protocol, dice }) => {
  const { t } = world;
  if (dice.chance(0.3)) {
    await retryAsOperator(
      t,
      (await listFailedWork(t.db, 100)).filter(({ kind }) => kind === 'refund'),
    );
    return;
  }
  const rows = await t.db.sql<{ id: string; order: string }>(
    `select r.id::text as id, a.subject_id::text as order from refunds r join payment_attempts a on a.id = r.attempt_id
     where a.kind = 'order' and r.status = 'FAILED' order by r.id`,
    [],
  );
  const row = dice.pick(rows);
  const picked = row && pickOrder(world, dice, ({ id }) => id === row.order);
  if (!row || !picked) return;
  const before = await readDue(world, picked);
  await callOperation(world, {
    operation: 'RetryRefund',
    actor: picked.admin,
    protocol,
    input: { path: { ...picked.path, refundId: row.id }, body: {} },
    expectedStatus: [200, 422],
  });
  await assertNotDueAgain(world, picked, before);
};

/** Reconciliation reads payments for 60 days after their last change; an event that is lost later is never made up for. */
const watchedSeconds = 2_600_000;

/** The business refunds a payment in the provider's dashboard; the event reports the sum of all refunds of the payment. */
export const refundAtProvider: PlayOperation = async (world, { dice }) => {
  const { t } = world;
  const rows = await t.db.sql<{ id: string; left: number; reference: string; currency: string }>(
    `select s.id, s.reference, request->>'currency' as currency, (request->>'amount')::int
       - (select coalesce(sum(value::int), 0)::int from jsonb_each_text(refunds) where key not like 'failed:%') as left
     from sandbox_payments s join payment_attempts a on a.payment_id = 'pay_' || s.id
     where a.kind = 'order' and a.state = 'PAID' and a.updated_at > $1 order by s.created_at, s.id`,
    [now() - watchedSeconds],
  );
  const payment = dice.pick(rows.filter(({ left }) => left > 0).slice(-12));
  if (!payment) return;
  world.counter += 1;
  const amount = dice.between(1, payment.left);
  const orderId = payment.reference.split(':')[1];
  const picked = pickOrder(world, dice, ({ id }) => id === orderId);
  const before = picked && (await readDue(world, picked));
  const [row] = await t.db.write<{ sum: number }>(
    `update sandbox_payments set refunds = refunds || jsonb_build_object($2::text, $3::int) where id = $1
     returning (select sum(value::int)::int from jsonb_each_text(refunds) where key not like 'failed:%') as sum`,
    [payment.id, `dashboard-${world.counter}`, amount],
  );
  const event = {
    id: `evt_dashboard_${world.counter}`,
    type: 'refunded' as const,
    reference: undefined,
    sessionId: undefined,
    paymentId: `pay_${payment.id}`,
    amount: row?.sum ?? 0,
    currency: payment.currency,
  };
  if (dice.chance(0.8)) await deliverPaymentEvent(t, event);
  if (picked && before !== undefined) await assertNotDueAgain(world, picked, before);
};

/** An order is overpaid by no more than it still has, also when staff lower its total after a refund; nothing once all money went back. */
export const lowerTotalAfterRefund: PlayOperation = async (world, context) => {
  const scenario = beginScenario(world, context);
  const { id, page } = await orderCart(scenario, createCart(scenario, await addStockedProduct(scenario), 1));
  await payPage(scenario, page);
  const { total, subtotal } = requireOrder(world, id);
  await changeOrder(scenario, { operation: 'RefundOrder', id, body: { amount: total - 10 } });
  await changeOrder(scenario, { operation: 'UpdateOrder', id, body: { discount: subtotal, tax: 0 } });
  await changeOrder(scenario, { operation: 'RefundOrder', id, body: {} });
};
