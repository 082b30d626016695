/** Checkout in one statement: what it writes, and when the step-by-step transaction takes over. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { replaceCreateSession } from '../support/fake-payments.ts';
import { addProduct, detailErrors, loadStock, type SoldProduct } from '../support/shop-fixtures.ts';
import { cartInput, fetchOrder, guest, postCheckout, pot, shop, t } from './setup.ts';

const isPlaceStatement = (text: string) => /\bstock_takes\b/.test(text);
const hasSteps = () => t.statements.some((text) => /^select id from products .* for update$/.test(text));

/** Response of a checkout, and which of both ways it took. */
async function checkOut(input: Record<string, unknown>, headers?: Record<string, string>, as = guest) {
  t.statements.length = 0;
  const answer = await postCheckout(input, as, headers);
  return { ...answer, inOneStatement: t.statements.some(isPlaceStatement), inSteps: hasSteps() };
}

describe('a plain cart', () => {
  it('is written by one statement: stock, ledger, product version, order with number, payment attempt', async () => {
    const before = (await loadStock(t, pot)) ?? 0;
    const [version] = await t.db.sql<{ version: number }>('select version from products where id = $1', [
      pot.productId,
    ]);
    const { body, inOneStatement, inSteps } = await checkOut(cartInput({}));
    expect([inOneStatement, inSteps]).toEqual([true, false]);
    expect(await loadStock(t, pot)).toBe(before - 2);
    expect(await t.db.sql('select version from products where id = $1', [pot.productId])).toEqual([
      { version: (version?.version ?? 0) + 1 },
    ]);
    expect(
      await t.db.sql('select kind, change, balance from stock_movements where order_id = $1', [body.orderId]),
    ).toEqual([{ kind: 'ORDER', change: -2, balance: before - 2 }]);
    const order = await fetchOrder(body.orderId);
    expect(order.number).toBeGreaterThan(1000);
    expect(
      await t.db.sql('select state from payment_attempts where subject_id = $1', [body.orderId]),
    ).toEqual([{ state: 'OPEN' }]);
    expect(
      await t.db.sql(`select action from changes where kind = 'ORDER' and record_id = $1`, [body.orderId]),
    ).toEqual([{ action: 'CREATE' }]);
  });

  it('with a repeated key returns the first order, even when the stock is gone', async () => {
    const last = await addProduct(t, shop, { stock: 1 });
    const input = cartInput({ items: [{ ...last, quantity: 1 }] });
    const headers = { 'idempotency-key': newId() };
    const first = await checkOut(input, headers);
    expect([first.status, first.inOneStatement]).toEqual([200, true]);
    const repeated = await checkOut(input, headers);
    expect(repeated).toMatchObject({ status: 200, body: { orderId: first.body.orderId } });
    expect((await checkOut({ ...input, locale: 'de' }, headers)).status).toBe(409);
  });

  it('of a variant without stock tracking takes nothing from stock', async () => {
    const service = await addProduct(t, shop);
    const items = [{ ...service, quantity: 3 }];
    const { status, body, inOneStatement, inSteps } = await checkOut(cartInput({ items }));
    expect([status, inOneStatement, inSteps]).toEqual([200, true, false]);
    expect(await loadStock(t, service)).toBe(0);
    expect(await t.db.sql('select 1 from stock_movements where order_id = $1', [body.orderId])).toEqual([]);
  });
});

describe('the payment session', () => {
  const loadSession = async (orderId: string) =>
    (
      await t.db.sql<{ id: string; request: Record<string, unknown>; url: string | null; state: string }>(
        `select s.id, s.request, a.url, a.state from sandbox_payments s join payment_attempts a on a.session_id = s.id
         where s.reference = $1 and a.reference = $1`,
        [`order:${orderId}`],
      )
    )[0];
  /** Input with an address that the account's address replaces, if the customer has an account. */
  const input = () => cartInput({ email: 'order@example.com' });

  it.each(['a guest', 'an account'])(
    'of %s is stored with the order, as `createSession` would',
    async (by) => {
      const as = by === 'a guest' ? guest : shop.admin;
      const atOnce = await checkOut(input(), {}, as);
      expect(
        t.statements.filter((text) => /sandbox_payments|update payment_attempts/.test(text)),
      ).toHaveLength(1);
      const restore = replaceCreateSession(t.app.services.payments, t.app.services.payments.createSession);
      const afterwards = await checkOut(input(), {}, as);
      restore();
      expect(t.statements.some((text) => /update payment_attempts/.test(text))).toBe(true);
      const [session, expected] = [
        await loadSession(atOnce.body.orderId),
        await loadSession(afterwards.body.orderId),
      ];
      expect(atOnce.body.checkoutUrl).toBe(session?.url);
      expect(session).toMatchObject({ state: 'OPEN', url: `http://pay.test/sandbox/pay/${session?.id}` });
      const { number } = await fetchOrder(atOnce.body.orderId);
      const normalise = (found: typeof session, orderId: string) =>
        JSON.parse(
          JSON.stringify(found?.request)
            .replaceAll(orderId, 'ORDER')
            .replace(/"expiresAt":\d+,?/, ''),
        );
      expect(normalise(session, atOnce.body.orderId)).toEqual({
        ...normalise(expected, afterwards.body.orderId),
        title: `Order ${number}`,
      });
      expect(expected?.request.title).toBe(`Order ${number + 1}`);
      expect(session?.request.customerEmail).toMatch(
        by === 'a guest' ? 'order@example.com' : /@people\.example$/,
      );
    },
  );
});

describe('step by step', () => {
  it('is a cart with a promo code', async () => {
    const { status, inSteps } = await checkOut(cartInput({ promoCode: 'HALF' }));
    expect([status, inSteps]).toEqual([200, true]);
  });

  it('is a cart that lowers stock to its threshold; nothing of the statement before remains', async () => {
    const scarce = await addProduct(t, shop, { stock: 5, low: 3 });
    const items = [{ ...scarce, quantity: 2 }];
    const { status, body, inOneStatement, inSteps } = await checkOut(cartInput({ items }));
    expect([status, inOneStatement, inSteps]).toEqual([200, true, true]);
    expect(await loadStock(t, scarce)).toBe(3);
    expect(
      await t.db.sql('select order_id, change from stock_movements where variant_id = $1 and kind = $2', [
        scarce.variantId,
        'ORDER',
      ]),
    ).toEqual([{ order_id: body.orderId, change: -2 }]);
  });
});

it('sells a hot product as often as it is in stock, with numbers without gaps', async () => {
  const hot = await addProduct(t, shop, { stock: 7 });
  const other = await addProduct(t, shop, { stock: 100 });
  const line = (product: SoldProduct) => ({ ...product, quantity: 1 });
  // Lines in both orders: products are locked by id, so that no two statements deadlock.
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_item, index) =>
      postCheckout(cartInput({ items: index % 2 ? [line(hot), line(other)] : [line(other), line(hot)] })),
    ),
  );
  const sold = answers.filter(({ status }) => status === 200);
  expect(sold).toHaveLength(7);
  for (const { body } of answers.filter(({ status }) => status !== 200))
    expect(detailErrors(body)).toEqual([expect.stringMatching(/^items\.[01] OUT_OF_STOCK/)]);
  expect([await loadStock(t, hot), await loadStock(t, other)]).toEqual([0, 93]);
  const orders = await Promise.all(sold.map(({ body }) => fetchOrder(body.orderId)));
  const numbers = orders.map(({ number }) => number).sort((a, b) => a - b);
  expect(numbers.map((number) => number - (numbers[0] ?? 0))).toEqual([0, 1, 2, 3, 4, 5, 6]);
});
