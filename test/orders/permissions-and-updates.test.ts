/** Permissions on orders, status changes and updates. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import type { Person } from '../support/app.ts';
import { addProduct, detailErrors, loadStock } from '../support/shop-fixtures.ts';
import {
  customer,
  manualOrder,
  type OrderBody,
  other,
  postOrder,
  putOrder,
  shop,
  statusTrail,
  t,
} from './setup.ts';

describe('permissions', () => {
  it('show an order only to its customer and to staff of the business', async () => {
    const { body } = await postOrder();
    const path = `${shop.orders}/${body.id}`;
    const editor = await t.addMember(shop, await t.person(), 'EDITOR');
    const manager = await t.addMember(shop, await t.person(), 'MANAGER');
    const statusAs = async (as: Person | undefined, at = path) => (await t.rest('GET', at, { as })).status;
    expect(await statusAs(customer)).toBe(200);
    expect(await statusAs(manager)).toBe(200);
    expect(await statusAs(undefined)).toBe(401);
    for (const as of [await t.guest(), await t.person(), editor, other.admin])
      expect(await statusAs(as)).toBe(404);
    expect(await statusAs(shop.admin, `${other.orders}/${body.id}`)).toBe(404);
    expect(await statusAs(other.admin, `${other.orders}/${body.id}`)).toBe(404);
    expect(await statusAs(shop.admin, `${shop.orders}/not-an-id`)).toBe(404);
  });

  it('list only their own orders to customers, with any filter', async () => {
    const [mine, theirs] = [await t.guest(), await t.guest()];
    const own = await postOrder(manualOrder({ customerId: mine.userId }));
    await postOrder(manualOrder({ customerId: theirs.userId }));
    const idsOf = async (as: Person, query: string) =>
      (await t.rest<{ items: OrderBody[] }>('GET', `${shop.orders}?${query}`, { as })).body.items.map(
        ({ id }) => id,
      );
    expect(await idsOf(mine, '')).toEqual([own.body.id]);
    expect(await idsOf(mine, `customerId=${theirs.userId}`)).toEqual([]);
    expect(await idsOf(shop.admin, `customerId=${mine.userId}`)).toEqual([own.body.id]);
    expect(await idsOf(shop.admin, `userId=${mine.userId}`)).toEqual([own.body.id]);
    expect(await idsOf(shop.admin, 'customerId=nobody')).toEqual([]);
    expect(await idsOf(other.admin, '')).toEqual([]);
    expect(await idsOf(shop.admin, `ids=${own.body.id},junk`)).toEqual([own.body.id]);
    expect(await idsOf(mine, `statuses=${encodeURIComponent('["PENDING","SHIPPED"]')}`)).toEqual([
      own.body.id,
    ]);
    expect(await idsOf(mine, 'status=SHIPPED')).toEqual([]);
    expect((await t.rest('GET', `${shop.orders}?status=LOST`, { as: mine })).status).toBe(422);
    expect((await t.rest('GET', shop.orders)).status).toBe(401);
  });

  it('allow only staff of the business to create and change orders', async () => {
    const { body } = await postOrder();
    for (const [as, creating, changing] of [
      [undefined, 401, 401],
      [customer, 403, 403],
      [await t.guest(), 403, 403],
      [await t.addMember(shop, await t.person(), 'EDITOR'), 403, 403],
      [other.admin, 403, 404],
    ] as [Person | undefined, number, number][]) {
      expect((await t.rest('POST', shop.orders, { as, body: { lines: 7 } })).status).toBe(creating);
      for (const [path, payload] of [
        ['/update', { id: body.id, tax: 'x' }],
        [`/${body.id}/status`, { status: 'CANCELLED' }],
        [`/${body.id}/payment-status`, { status: 'PAID' }],
      ] as const) {
        expect((await t.rest('PUT', `${shop.orders}${path}`, { as, body: payload })).status).toBe(changing);
      }
    }
    const elsewhere = await t.rest('PUT', `${other.orders}/${body.id}/status`, {
      as: other.admin,
      body: { status: 'CANCELLED' },
    });
    expect(elsewhere.status).toBe(404);
  });

  it('hide draft products behind lines, and show deleted products as null', async () => {
    const deleted = await addProduct(t, shop, { name: 'Gone' });
    const hidden = await addProduct(t, shop, { name: 'Hidden' });
    const { body } = await postOrder(
      manualOrder({ lines: [deleted, hidden].map((sold) => ({ ...sold, quantity: 1 })), subtotal: 2000 }),
    );
    const products = `/v1/businesses/${shop.businessId}/products`;
    await t.rest('DELETE', `${products}/${deleted.productId}`, { as: shop.admin });
    await t.rest('PUT', `${products}/${hidden.productId}`, { as: shop.admin, body: { status: 'DRAFT' } });
    const lines = async (as: Person) =>
      (
        await t.graphql(
          'query ($b: ID!, $id: ID!) { order(businessId: $b, id: $id) { lines { name product { name } variant { name } } } }',
          { b: shop.businessId, id: body.id },
          { as },
        )
      ).data;
    const nothing = { product: null, variant: null };
    expect(await lines(customer)).toEqual({
      order: {
        lines: [
          { name: 'Gone', ...nothing },
          { name: 'Hidden', ...nothing },
        ],
      },
    });
    expect(await lines(shop.admin)).toEqual({
      order: {
        lines: [
          { name: 'Gone', ...nothing },
          { name: 'Hidden', product: { name: 'Hidden' }, variant: { name: 'Small' } },
        ],
      },
    });
  });
});

describe('statuses', () => {
  it('follow allowed transitions; an invalid one is rejected with the allowed statuses', async () => {
    const { body } = await postOrder();
    const shipped = await putOrder(`/${body.id}/status`, { id: body.id, status: 'SHIPPED' });
    expect(shipped.status).toBe(200);
    expect(statusTrail(shipped.body.statuses)).toEqual(['PENDING', 'SHIPPED']);
    expect(shipped.body.version).toBe(2);
    const again = await putOrder(`/${body.id}/status`, { status: 'SHIPPED' });
    expect(again.body).toEqual(shipped.body);
    const back = await putOrder(`/${body.id}/status`, { status: 'CANCELLED' });
    expect([back.status, detailErrors(back.body)]).toEqual([422, ['status INVALID_TRANSITION']]);
    expect(JSON.stringify(back.body)).toContain('DELIVERED, REFUNDED');
    const paid = await putOrder(`/${body.id}/payment-status`, { id: body.id, paymentStatus: 'PAID' });
    expect(statusTrail(paid.body.paymentStatus)).toEqual(['PENDING', 'PAID']);
    expect(detailErrors((await putOrder(`/${body.id}/payment-status`, { status: 'FAILED' })).body)).toEqual([
      'status INVALID_TRANSITION',
    ]);
    expect(detailErrors((await putOrder(`/${body.id}/status`, {})).body)).toEqual(['status REQUIRED']);
    expect((await putOrder(`/${newId()}/status`, { status: 'SHIPPED' })).status).toBe(404);
  });

  it('release stock once on CANCELLED', async () => {
    const rare = await addProduct(t, shop, { stock: 5 });
    const version = async () =>
      (
        await t.rest<{ version: number }>(
          'GET',
          `/v1/businesses/${shop.businessId}/products/${rare.productId}`,
          { as: customer },
        )
      ).body.version;
    const { body } = await postOrder({ market: 'US', lines: [{ ...rare, quantity: 4 }] });
    expect([await loadStock(t, rare), await version()]).toEqual([1, 2]);
    await putOrder(`/${body.id}/status`, { status: 'CANCELLED' });
    await putOrder(`/${body.id}/status`, { status: 'CANCELLED' });
    expect([await loadStock(t, rare), await version()]).toEqual([5, 3]);
    expect(
      (await postOrder({ market: 'US', status: 'CANCELLED', lines: [{ ...rare, quantity: 4 }] })).status,
    ).toBe(200);
    expect(await loadStock(t, rare)).toBe(5);
  });

  it('are rejected with 412 when If-Match is stale', async () => {
    const created = await postOrder();
    const etag = created.headers.get('etag') ?? '';
    const first = await putOrder(`/${created.body.id}/status`, { status: 'PROCESSING' }, shop.admin, {
      'if-match': etag,
    });
    expect(first.status).toBe(200);
    const stale = await putOrder(`/${created.body.id}/status`, { status: 'SHIPPED' }, shop.admin, {
      'if-match': etag,
    });
    expect(stale.status).toBe(412);
    expect(
      (await putOrder('/update', { id: created.body.id, tax: 0 }, shop.admin, { 'if-match': etag })).status,
    ).toBe(412);
  });
});

describe('updateOrder', () => {
  it('changes the sent fields, recomputes totals and moves stock by the difference', async () => {
    const [a, b] = [
      await addProduct(t, shop, { stock: 10, price: 100 }),
      await addProduct(t, shop, { stock: 10, price: 7 }),
    ];
    const { body } = await postOrder({ market: 'US', tax: 5, lines: [{ ...a, quantity: 4 }] });
    const changed = await putOrder('/update', {
      id: body.id,
      lines: [
        { ...b, quantity: 3 },
        { ...a, quantity: 1 },
      ],
      subtotal: 121,
      total: 126,
    });
    expect(changed.body).toMatchObject({ subtotal: 121, tax: 5, total: 126, version: 2 });
    expect([await loadStock(t, a), await loadStock(t, b)]).toEqual([9, 7]);
    const noted = await putOrder('/update', {
      id: body.id,
      blocks: [{ id: 'note', type: 'TEXT', value: 'ring twice' }],
    });
    expect(noted.body).toMatchObject({ subtotal: 121, total: 126, blocks: [{ id: 'note' }] });
    const cancelled = await putOrder('/update', { id: body.id, status: 'CANCELLED' });
    expect(statusTrail(cancelled.body.statuses)).toEqual(['PENDING', 'CANCELLED']);
    expect([await loadStock(t, a), await loadStock(t, b)]).toEqual([10, 10]);
  });

  it.each([
    ['a wrong total', { total: 1 }, ['total TOTAL_MISMATCH']],
    ['a wrong subtotal', { subtotal: 1 }, ['subtotal TOTAL_MISMATCH']],
    ['a discount above the subtotal', { discount: 1_000_000 }, ['discount TOTAL_MISMATCH']],
    ['an unknown customer', { customerId: newId() }, ['customerId CUSTOMER_NOT_FOUND']],
    [
      'an invalid payment status transition',
      { paymentStatus: [{ status: 'REFUNDED' }] },
      ['paymentStatus INVALID_TRANSITION'],
    ],
  ])('rejects %s', async (_name, change, expected) => {
    const { body } = await postOrder();
    const answer = await putOrder('/update', { id: body.id, ...change });
    expect([answer.status, detailErrors(answer.body)]).toEqual([422, expected]);
    expect((await t.rest('GET', `${shop.orders}/${body.id}`, { as: shop.admin })).body).toEqual(body);
  });

  it('rejects lines whose product does not contain the variant', async () => {
    const other = await addProduct(t, shop);
    const { body } = await postOrder();
    const [line] = body.lines;
    for (const [productId, expected] of [
      ['not-an-id', 'lines.0.productId PRODUCT_NOT_FOUND'],
      [newId(), 'lines.0.productId PRODUCT_NOT_FOUND'],
      [other.productId, 'lines.0.variantId VARIANT_NOT_FOUND'],
    ]) {
      const answer = await putOrder('/update', { id: body.id, lines: [{ ...line, productId }] });
      expect([answer.status, detailErrors(answer.body)]).toEqual([422, [expected]]);
    }
    expect((await t.rest('GET', `${shop.orders}/${body.id}`, { as: shop.admin })).body).toEqual(body);
  });

  it('requires the id of an existing order', async () => {
    expect(detailErrors((await putOrder('/update', { tax: 1 })).body)).toEqual(['id REQUIRED']);
    expect((await putOrder('/update', { id: newId() })).status).toBe(404);
  });

  it('rejects lines above the stock, and changed lines after shipping', async () => {
    const rare = await addProduct(t, shop, { stock: 5 });
    const { body } = await postOrder({ market: 'US', lines: [{ ...rare, quantity: 4 }] });
    const more = await putOrder('/update', { id: body.id, lines: [{ ...rare, quantity: 6 }] });
    expect(detailErrors(more.body)).toEqual(['lines.0 OUT_OF_STOCK']);
    expect(await loadStock(t, rare)).toBe(1);
    await putOrder(`/${body.id}/status`, { status: 'SHIPPED' });
    const late = await putOrder('/update', { id: body.id, lines: [{ ...rare, quantity: 1 }] });
    expect(detailErrors(late.body)).toEqual(['lines ORDER_NOT_EDITABLE']);
    const same = await putOrder('/update', { id: body.id, lines: body.lines, shipping: 10 });
    expect(same.body).toMatchObject({ shipping: 10, total: 4010 });
  });
});
