/** Isolation of carts between customers, businesses and revoked sessions; validation and size limits. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type CartContent, mergeCartContent } from '../../src/domains/carts/cart-limits-and-merging.ts';
import type { StoredCart, StoredCartLine } from '../../src/domains/carts/model.ts';
import { mergeOrderContentIntoCartWithinLimits } from '../../src/domains/carts/write/check-out-own-cart.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Person } from '../support/app.ts';
import { detailErrors } from '../support/shop-fixtures.ts';
import {
  add,
  call,
  cartOf,
  cartsOf,
  checkOut,
  open,
  other,
  pot,
  shop,
  shopper,
  signedInGuest,
  t,
} from './setup.ts';

let owner: Person;
let cartId: string;
let lineId: string;
beforeAll(async () => {
  owner = await shopper();
  const { id, lines } = await cartOf(owner);
  cartId = id;
  lineId = lines[0]?.id ?? '';
});

/** All routes of the own cart. */
const ownCartRequests: [method: string, path: () => string, body?: object][] = [
  ['GET', () => '/me'],
  ['PUT', () => '/me', { note: 'mine' }],
  ['POST', () => '/me/lines', { productId: newId(), variantId: newId(), quantity: 1 }],
  ['PUT', () => `/me/lines/${lineId}`, { quantity: 9 }],
  ['DELETE', () => `/me/lines/${lineId}`],
  ['POST', () => '/me/checkout', {}],
  ['DELETE', () => '/me'],
];

const expectUnchanged = async (work: () => Promise<void>) => {
  const before = await cartOf(owner);
  await work();
  expect(await cartOf(owner)).toEqual(before);
};

describe('another client', () => {
  it('gets 404 for reads and changes, with and without a cart of their own', () =>
    expectUnchanged(async () => {
      const stranger = await t.guest();
      for (const [method, path, body] of ownCartRequests)
        expect([method, (await call(stranger, method, path(), body)).status]).toEqual([method, 404]);
      expect((await call(stranger, 'GET', `/${cartId}`)).status).toBe(404);
      await shopper(Promise.resolve(stranger));
      for (const [method, body] of [['PUT', { quantity: 9 }], ['DELETE']] as const)
        expect((await call(stranger, method, `/me/lines/${lineId}`, body)).status).toBe(404);
      expect((await call(stranger, 'GET', `/${cartId}`)).status).toBe(404);
    }));

  it('gets 401 without credentials', () =>
    expectUnchanged(async () => {
      for (const [method, path, body] of [...ownCartRequests, ['GET', () => `/${cartId}`] as const])
        expect((await call(undefined, method, path(), body)).status).toBe(401);
      expect((await call(undefined, 'POST', '', { market: 'US' })).status).toBe(401);
    }));

  it('gets 401 with a revoked token', async () => {
    const signedOut = await signedInGuest();
    await shopper(Promise.resolve(signedOut));
    await t.rest('POST', '/v1/users/logout', { as: signedOut });
    for (const [method, path, body] of ownCartRequests)
      expect((await call(signedOut, method, path(), body)).status).toBe(401);
    const merging = await call(await t.person(), 'POST', '/me/merge', { guestToken: signedOut.token });
    expect([merging.status, detailErrors(merging.body)]).toEqual([422, ['guestToken INVALID_TOKEN']]);
  });
});

it('says without a cart how to open one', async () => {
  const guest = await t.guest();
  for (const [method, path, body] of ownCartRequests.slice(1))
    expect((await call<{ message: string }>(guest, method, path(), body)).body.message).toMatch(
      /^Cart not found\. Open one first: `openCart`, or POST \/v1\/businesses\/\{businessId\}\/carts\.$/,
    );
});

describe('staff', () => {
  it('can read carts of their business with ORDERS_READ, but not change them', () =>
    expectUnchanged(async () => {
      const manager = await t.addMember(shop, await t.person(), 'MANAGER');
      const editor = await t.addMember(shop, await t.person(), 'EDITOR');
      const limited = await t.withApiKey(shop.admin);
      await t.db.prisma.apiToken.updateMany({
        where: { userId: shop.admin.userId },
        data: { restricted: true, permissions: ['PRODUCTS_WRITE'] },
      });
      const statuses = [];
      for (const as of [shop.admin, manager, editor, limited, other.admin])
        statuses.push((await call(as, 'GET', `/${cartId}`)).status);
      expect(statuses).toEqual([200, 200, 404, 403, 404]);
      expect((await call(shop.admin, 'GET', `/${cartId}`)).body).toEqual(await cartOf(owner));
      expect((await call(shop.admin, 'PUT', `/${cartId}`, { note: 'ours' })).status).toBe(405);
      expect((await call(shop.admin, 'PUT', '/me', { note: 'ours' })).status).toBe(404);
    }));

  it('get 404 for the cart under the path of another business, and so does its owner', async () => {
    for (const as of [other.admin, shop.admin, owner])
      expect((await call(as, 'GET', `/${cartId}`, undefined, { shop: other })).status).toBe(404);
  });
});

describe('invalid input', () => {
  it('gets 404 for an unknown business', async () => {
    for (const businessId of [newId(), 'nowhere']) {
      const at = (path: string) => `${cartsOf({ businessId })}${path}`;
      for (const [method, path, body] of [...ownCartRequests, ['POST', () => '', { market: 'US' }] as const])
        expect((await t.rest(method, at(path()), { as: owner, body })).status).toBe(404);
    }
  });

  it('is rejected for foreign products, quantities, codes and reserved block ids, and changes nothing', () =>
    expectUnchanged(async () => {
      const foreign = { productId: newId(), variantId: newId() };
      for (const [body, errors] of [
        [foreign, ['productId PRODUCT_NOT_FOUND']],
        [{ variantId: newId() }, ['variantId VARIANT_NOT_FOUND']],
        [{ variantId: undefined }, ['variantId REQUIRED']],
        [{ sku: 'X' }, ['sku INVALID_VALUE']],
        [{ quantity: 0 }, ['quantity TOO_SMALL']],
        [{ quantity: 1_000_001 }, ['quantity TOO_BIG']],
        [{ quantity: 1_000_000 }, ['quantity TOO_BIG']],
        [{ quantity: 1.5 }, ['quantity INVALID_TYPE']],
        [{ productId: '', quantity: -1 }, ['productId TOO_SHORT', 'quantity TOO_SMALL']],
        [
          { blocks: Array.from({ length: 21 }, (_, i) => ({ id: `b${i}`, type: 'TEXT' })) },
          ['blocks TOO_LONG'],
        ],
      ] as const) {
        const { status, body: rejected } = await add(owner, body);
        expect([status, detailErrors(rejected)]).toEqual([422, errors]);
      }
      const { status, body } = await call(owner, 'PUT', '/me', {
        market: 'XX',
        promoCode: 'NONE',
        shippingMethodId: 'none',
      });
      expect([status, detailErrors(body)]).toEqual([422, ['market MARKET_NOT_FOUND']]);
      const unknown = await call(owner, 'PUT', '/me', { promoCode: 'NONE', shippingMethodId: 'none' });
      expect(detailErrors(unknown.body)).toEqual([
        'shippingMethodId SHIPPING_METHOD_NOT_FOUND',
        'promoCode PROMO_CODE_INVALID',
      ]);
      for (const id of ['note', 'lines.0.engraving']) {
        const { body: reserved } = await call(owner, 'PUT', '/me', {
          blocks: [{ id, type: 'TEXT', value: 'x' }],
        });
        expect(detailErrors(reserved)).toEqual(['blocks INVALID_VALUE']);
      }
    }));

  it('is rejected for a token that is not of a guest', () =>
    expectUnchanged(async () => {
      const customer = await t.person();
      const victim = await shopper(t.person());
      for (const guestToken of [victim.token, 'nonsense', customer.token, `${owner.token}x`]) {
        const { status, body } = await call(customer, 'POST', '/me/merge', { guestToken });
        expect([status, detailErrors(body)]).toEqual([422, ['guestToken INVALID_TOKEN']]);
      }
      expect((await call(await t.guest(), 'POST', '/me/merge', { guestToken: owner.token })).status).toBe(
        403,
      );
      expect((await cartOf(victim)).lines).toHaveLength(1);
    }));

  it('is rejected for a full cart, from which lines can still be removed', async () => {
    const full = await shopper();
    const line = (
      await t.db.sql<{ lines: object[] }>('select lines from carts where customer_id = $1', [full.userId])
    )[0]?.lines[0];
    const lines = Array.from({ length: 500 }, () => ({ ...line, id: newId(), variantId: newId() }));
    await t.db.write('update carts set lines = $2::jsonb where customer_id = $1', [
      full.userId,
      JSON.stringify(lines),
    ]);
    expect(detailErrors((await add(full)).body)).toEqual(['lines TOO_LONG']);
    expect((await checkOut(full)).status).toBe(422);
    const { status } = await call(full, 'DELETE', `/me/lines/${lines[0]?.id}`);
    expect([status, (await cartOf(full)).lines.length, (await open(full)).status]).toEqual([200, 499, 200]);
    expect((await add(full, pot)).status).toBe(200);
  });
});

describe('size limit of customer texts', () => {
  const textBlocks = (length: number) =>
    Array.from({ length: length / 10_000 }, (_none, index) => ({
      id: `wish${index}`,
      type: 'TEXT',
      value: 'x'.repeat(10_000),
    }));
  const tooLong = [422, ['blocks TOO_LONG']];
  const outcomeOf = ({ status, body }: { status: number; body: unknown }) => [status, detailErrors(body)];

  it('rejects longer texts in one request or over several lines, and changes nothing', async () => {
    const customer = await t.guest();
    expect(outcomeOf(await open(customer, { blocks: textBlocks(100_000) }))).toEqual(tooLong);
    await open(customer, { blocks: textBlocks(60_000) });
    expect(outcomeOf(await add(customer, { blocks: textBlocks(40_000) }))).toEqual(tooLong);
    expect(outcomeOf(await call(customer, 'PUT', '/me', { blocks: textBlocks(100_000) }))).toEqual(tooLong);
    const items = [{ ...pot, quantity: 1 }];
    const order = { market: 'US', shippingMethodId: 'standard', items };
    const ordered = { ...order, blocks: textBlocks(100_000) };
    expect(
      outcomeOf(await t.rest('POST', `${shop.orders}/checkout`, { as: customer, body: ordered })),
    ).toEqual(tooLong);
    expect(await cartOf(customer)).toMatchObject({ lines: [], version: 1 });
  });

  it('leaves room for updates by staff', async () => {
    const customer = await t.guest();
    await open(customer, { blocks: textBlocks(50_000) });
    await add(customer, { blocks: textBlocks(40_000) });
    const { orderId: id } = (await checkOut(customer)).body;
    const put = (body: object) =>
      t.rest('PUT', `${shop.orders}/update`, { as: shop.admin, body: { id, ...body } });
    expect((await put({ blocks: textBlocks(880_000) })).status).toBe(200);
    expect((await put({ status: 'PROCESSING' })).status).toBe(200);
    expect((await put({ blocks: textBlocks(890_000), locale: 'de' })).status).toBe(200);
    // A record from before the limit existed.
    await t.db.write(
      `update orders set blocks = jsonb_build_array(jsonb_build_object(
      'id', 'wish', 'type', 'TEXT', 'value', repeat('x', 1000001))) where id = $1`,
      [id],
    );
    expect((await put({ status: 'CANCELLED' })).status).toBe(200);
    expect((await put({ locale: 'en-GB' })).status).toBe(422);
  });
});

it('merges two long carts in linear time', () => {
  let reads = 0;
  const cart = (name: string): CartContent => ({
    market: 'US',
    blocks: [],
    lines: Array.from({ length: 200 }, (_none, index) => ({
      id: `${name}${index}`,
      productId: 'p',
      variantId: 'v',
      quantity: 1,
      name: '',
      addedAt: 1,
      get blocks() {
        reads += 1;
        return [{ id: 'engraving', type: 'TEXT' as const, value: `${index < 100 ? '' : name}${index}` }];
      },
    })),
  });
  const { lines } = mergeCartContent(cart('a'), cart('b'));
  expect(lines).toHaveLength(300);
  expect(lines.map(({ id, quantity }) => [id, quantity]).slice(98, 102)).toEqual([
    ['a98', 2],
    ['a99', 2],
    ['a100', 1],
    ['a101', 1],
  ]);
  // One read for the key of each line, and one more for each merged line.
  expect(reads).toBeLessThanOrEqual(600);
});

describe('content of a rolled-back order', () => {
  const line = (id: string, textLength = 0): StoredCartLine => ({
    id,
    productId: newId(),
    variantId: newId(),
    quantity: 1,
    name: '',
    addedAt: 1,
    blocks: textLength > 0 ? [{ id: 'engraving', type: 'TEXT', value: 'x'.repeat(textLength) }] : [],
  });
  const cart = (count: number, textLength?: number): StoredCart => ({
    id: newId(),
    businessId: newId(),
    customerId: newId(),
    market: 'US',
    blocks: [],
    lines: Array.from({ length: count }, (_none, index) => line(`${index}`, textLength)),
    version: 1,
    createdAt: 1,
    updatedAt: 1,
  });

  it.each<[string, StoredCart, StoredCart, number]>([
    ['is merged into the current cart', cart(2), cart(3), 5],
    ['is dropped when the cart would have too many lines', cart(300), cart(201), 300],
    ['is dropped when the cart would exceed its maximum size', cart(50, 15_000), cart(20, 15_000), 50],
  ])('%s', (_label, current, ordered, lines) => {
    expect(mergeOrderContentIntoCartWithinLimits(current, ordered).lines).toHaveLength(lines);
  });
});
