/** Cart operations by the owner: opening, lines, prices, changes and concurrency. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { addProduct, detailErrors, postQuote } from '../support/shop-fixtures.ts';
import { add, type CartBody, call, cartOf, open, other, pot, setPrice, shop, shopper, t } from './setup.ts';

const engraved = (value: string) => ({ blocks: [{ id: 'engraving', type: 'TEXT', value }] });

describe('a cart', () => {
  it('exists once per customer and business; opening it again updates it', async () => {
    const guest = await t.guest();
    const [first, second] = [await open(guest), await open(guest, { note: 'Ring twice', promoCode: 'half' })];
    const { updatedAt, expiresAt } = second.body;
    const changed = { note: 'Ring twice', promoCode: 'half', version: 2, updatedAt, expiresAt };
    expect(second.body).toEqual({ ...first.body, ...changed });
    expect(await cartOf(guest)).toEqual(second.body);
    const elsewhere = await open(guest, {}, { shop: other });
    expect(elsewhere.body.id).not.toBe(first.body.id);
    const opened = await Promise.all(Array.from({ length: 5 }, () => open(guest)));
    expect(opened.map(({ body }) => body.id)).toEqual(Array.from({ length: 5 }, () => first.body.id));
  });

  it('has the same totals as a quote', async () => {
    const guest = await shopper(t.guest(), 3);
    const { body } = await call(guest, 'PUT', '/me', { promoCode: 'HALF' });
    const { subtotal, tax, taxBps, shipping, discount, total, currency } = (
      await postQuote<CartBody & Record<string, unknown>>(t, guest, {
        businessId: shop.businessId,
        market: 'US',
        shippingMethodId: 'standard',
        promoCode: 'HALF',
        lines: [{ ...pot, quantity: 3 }],
      })
    ).body;
    expect(body).toMatchObject({ subtotal, tax, taxBps, shipping, discount, total, currency, problems: [] });
    expect(body.expiresAt).toBe(body.updatedAt + 30 * 86_400);
    const cleared = await call(guest, 'PUT', '/me', { promoCode: '', shippingMethodId: '' });
    expect(cleared.body).toMatchObject({ discount: 0, shipping: 0 });
    expect(detailErrors({ details: cleared.body.problems })).toEqual([
      'shippingMethodId SHIPPING_METHOD_REQUIRED',
    ]);
    expect([cleared.body.promoCode, cleared.body.shippingMethodId]).toEqual([undefined, undefined]);
  });

  it('combines lines with the same variant and blocks, and keeps others separate', async () => {
    const guest = await shopper();
    await add(guest, { quantity: 2 });
    await add(guest, engraved('Ada'));
    const { body } = await add(guest, { ...engraved('Ada'), quantity: 4 });
    expect(body.lines.map(({ quantity, blocks }) => [quantity, blocks[0]?.value])).toEqual([
      [3, undefined],
      [5, 'Ada'],
    ]);
    const { data } = await t.graphql(
      `query ($b: ID!) { myCart(businessId: $b) { block(id: "toString") { id: key } lines { block(id: "engraving") { text asNumber } } } }`,
      { b: shop.businessId },
      { as: guest },
    );
    expect(data).toEqual({
      myCart: { block: null, lines: [{ block: null }, { block: { text: 'Ada', asNumber: null } }] },
    });
    const [plain, ada] = body.lines.map(({ id }) => id);
    const changed = await call(guest, 'PUT', `/me/lines/${ada}`, { quantity: 1, ...engraved('Bob') });
    expect(changed.body.lines[1]).toMatchObject({ quantity: 1, blocks: [{ value: 'Bob' }] });
    const removed = await call(guest, 'DELETE', `/me/lines/${plain}`);
    expect(removed.body.lines.map(({ id }) => id)).toEqual([ada]);
    expect((await call(guest, 'DELETE', `/me/lines/${plain}`)).status).toBe(404);
    expect((await call<object>(guest, 'DELETE')).body).toEqual({ id: body.id, deleted: true });
    expect((await call(guest, 'GET')).status).toBe(404);
  });

  it('takes a line by the id of its variant alone, and by SKU', async () => {
    const guest = await shopper();
    const sku = `pot-${newId()}`;
    await t.db.write('update variants set sku = $2 where id = $1', [pot.variantId, sku]);
    const [byId, bySku] = [{ variantId: pot.variantId.toUpperCase() }, { sku }];
    for (const line of [byId, bySku])
      expect((await call(guest, 'POST', '/me/lines', { ...line, quantity: 1 })).status).toBe(200);
    const query = `mutation ($b: ID!, $input: AddCartLineInput!) { addCartLine(businessId: $b, input: $input) { cart { lines { ...ids quantity } } } }
      fragment ids on CartLine { productId variantId }`;
    const input = { sku, productId: pot.productId, quantity: 1 };
    const { data } = await t.graphql(query, { b: shop.businessId, input }, { as: guest });
    expect(data).toEqual({ addCartLine: { cart: { lines: [{ ...pot, quantity: 4 }] } } });
  });

  it('rejects variants that are not sold by the name that the client sent, and reveals no drafts', async () => {
    const guest = await shopper();
    const draft = await addProduct(t, shop, { status: 'DRAFT' });
    const elsewhere = await addProduct(t, other);
    const unpriced = await addProduct(t, shop);
    await t.db.write("update variants set sku = 'draft' where id = $1", [draft.variantId]);
    await t.db.write("update variants set sku = 'unpriced' where id = $1", [unpriced.variantId]);
    await open(guest, { market: 'EU', shippingMethodId: '' });
    for (const [line, error] of [
      [{ variantId: newId() }, 'variantId VARIANT_NOT_FOUND'],
      [{ variantId: 'pot' }, 'variantId VARIANT_NOT_FOUND'],
      [{ variantId: draft.variantId }, 'variantId VARIANT_NOT_FOUND'],
      [{ variantId: elsewhere.variantId }, 'variantId VARIANT_NOT_FOUND'],
      [{ sku: 'nothing' }, 'sku VARIANT_NOT_FOUND'],
      [{ sku: 'draft' }, 'sku VARIANT_NOT_FOUND'],
      [{ sku: 'unpriced' }, 'sku PRICE_NOT_AVAILABLE'],
      [{ sku: 'unpriced', productId: pot.productId }, 'sku VARIANT_NOT_FOUND'],
    ] as const) {
      const { status, body } = await call<object>(guest, 'POST', '/me/lines', { ...line, quantity: 1 });
      expect([line, status, detailErrors(body)]).toEqual([line, 422, [error]]);
    }
  });

  it('accepts a promo code before its minimum is reached', async () => {
    const guest = await shopper();
    const { body } = await call(guest, 'PUT', '/me', { promoCode: 'BIG' });
    expect([body.discount, detailErrors({ details: body.problems })]).toEqual([
      0,
      ['promoCode PROMO_CODE_MINIMUM_NOT_MET'],
    ]);
    expect((await add(guest, { quantity: 4 })).body).toMatchObject({ discount: 2500, problems: [] });
  });

  it('returns the same in GraphQL, with the product of each line', async () => {
    const guest = await shopper();
    const query = `query ($businessId: ID!) { myCart(businessId: $businessId) {
      total lines { quantity changes product { name } } problems { error } } }`;
    const { data, errors } = await t.graphql(query, { businessId: shop.businessId }, { as: guest });
    const { total } = await cartOf(guest);
    const line = { quantity: 1, changes: [], product: { name: 'Pot' } };
    expect([errors, data]).toEqual([[], { myCart: { total, lines: [line], problems: [] } }]);
  });

  it('is read with two statements, independent of the number of lines', async () => {
    const guest = await shopper();
    const counts = [];
    for (let index = 0; index < 3; index += 1) {
      t.statements.length = 0;
      await cartOf(guest);
      counts.push(t.statements.length);
      await add(guest, await addProduct(t, shop, { price: 100 }));
    }
    expect(counts).toEqual([2, 2, 2]);
  });
});

describe('changes since a line was added', () => {
  it('are reported on every read: price, stock, no longer sold', async () => {
    const guest = await shopper();
    const [cup, plate, bowl] = [
      await addProduct(t, shop, { price: 500, name: 'Cup' }),
      await addProduct(t, shop, { price: 700, stock: 3, name: 'Plate' }),
      await addProduct(t, shop, { price: 900, name: 'Bowl' }),
    ];
    for (const product of [cup, plate, bowl]) await add(guest, { ...product, quantity: 2 });
    await setPrice(cup, 600);
    await t.db.write('update variants set quantity = 1 where id = $1', [plate.variantId]);
    await t.rest('DELETE', `/v1/businesses/${shop.businessId}/products/${bowl.productId}`, {
      as: shop.admin,
    });
    const { lines, subtotal, problems } = await cartOf(guest);
    expect(
      lines.map(({ name, unitPrice, addedPrice, available, changes }) => ({
        name,
        unitPrice,
        addedPrice,
        available,
        changes,
      })),
    ).toEqual([
      { name: 'Pot', unitPrice: 1000, addedPrice: 1000, available: expect.any(Number), changes: [] },
      { name: 'Cup', unitPrice: 600, addedPrice: 500, available: undefined, changes: ['PRICE_CHANGED'] },
      { name: 'Plate', unitPrice: 700, addedPrice: 700, available: 1, changes: ['OUT_OF_STOCK'] },
      { name: 'Bowl', unitPrice: undefined, addedPrice: 900, available: undefined, changes: ['NOT_SOLD'] },
    ]);
    expect(subtotal).toBe(1000 + 2 * 600 + 2 * 700);
    expect(detailErrors({ details: problems })).toEqual([
      'lines.3.productId PRODUCT_NOT_FOUND',
      'lines.2 OUT_OF_STOCK',
    ]);
    const rejected = await call(guest, 'POST', '/me/checkout', {});
    expect([rejected.status, detailErrors(rejected.body)]).toEqual([
      422,
      ['lines.3.productId PRODUCT_NOT_FOUND'],
    ]);
    // Updating a line stores its current price as the new reference.
    const { body } = await call(guest, 'PUT', `/me/lines/${lines[1]?.id}`, { quantity: 1 });
    expect(body.lines[1]).toMatchObject({ unitPrice: 600, addedPrice: 600, changes: [] });
  });

  it('leave the cart readable when its market was deleted or an amount exceeds the integer range', async () => {
    const guest = await shopper();
    const gold = await addProduct(t, shop, { price: 1 });
    await add(guest, { ...gold, quantity: 1_000_000 });
    await setPrice(gold, Number.MAX_SAFE_INTEGER);
    const expensive = await cartOf(guest);
    expect([expensive.total, detailErrors({ details: expensive.problems })]).toEqual([
      undefined,
      ['lines AMOUNT_TOO_LARGE'],
    ]);
    expect(detailErrors((await add(guest)).body)).toEqual(['quantity AMOUNT_TOO_LARGE']);
    await t.db.write(`update carts set market = 'ZZ' where customer_id = $1`, [guest.userId]);
    const withoutMarket = await cartOf(guest);
    expect([withoutMarket.total, withoutMarket.lines[0]?.changes]).toEqual([undefined, ['NOT_SOLD']]);
    expect(detailErrors({ details: withoutMarket.problems })).toEqual(['market MARKET_NOT_FOUND']);
    // A change of market does not report PRICE_CHANGED.
    const { body } = await call(guest, 'PUT', '/me', { market: 'us' });
    expect(body.lines[0]).toMatchObject({ changes: [], addedPrice: 1000 });
  });
});

describe('concurrent requests', () => {
  it('apply every addition, and only one of two updates with the same If-Match', async () => {
    const guest = await shopper();
    await Promise.all(Array.from({ length: 8 }, () => add(guest)));
    const { lines, version } = await cartOf(guest);
    expect([lines[0]?.quantity, version]).toEqual([9, 10]);
    const etag = (await call(guest, 'GET')).headers.get('etag') ?? '';
    const both = await Promise.all(
      [1, 2].map((quantity) =>
        call(guest, 'PUT', `/me/lines/${lines[0]?.id}`, { quantity }, { headers: { 'if-match': etag } }),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect((await call(guest, 'DELETE', '/me', undefined, { headers: { 'if-match': etag } })).status).toBe(
      412,
    );
  });

  it('add a line once per idempotency key and return the current cart', async () => {
    const guest = await shopper();
    const headers = { 'idempotency-key': newId() };
    const answers = await Promise.all([add(guest, {}, headers), add(guest, {}, headers)]);
    expect(answers.map(({ body }) => body.lines[0]?.quantity)).toEqual([2, 2]);
    expect((await add(guest, { quantity: 5 }, headers)).status).toBe(409);
  });
});
