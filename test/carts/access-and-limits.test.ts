/** Carts are walls between people: what others, other businesses and ended sessions get of them, and what lies get. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { StoredCart, StoredCartLine } from '../../src/domains/carts/model.ts';
import { type CartContent, mergeCartContent } from '../../src/domains/carts/rules.ts';
import { restoreOrderedContent } from '../../src/domains/carts/write/checkout-cart.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Person } from '../support/app.ts';
import { faultsOf } from '../support/selling.ts';
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

/** Everything that can be done with a cart. */
const acts: [method: string, path: () => string, body?: object][] = [
  ['GET', () => '/me'],
  ['PUT', () => '/me', { note: 'mine' }],
  ['POST', () => '/me/lines', { productId: newId(), variantId: newId(), quantity: 1 }],
  ['PUT', () => `/me/lines/${lineId}`, { quantity: 9 }],
  ['DELETE', () => `/me/lines/${lineId}`],
  ['POST', () => '/me/checkout', {}],
  ['DELETE', () => '/me'],
];

const untouched = async (work: () => Promise<void>) => {
  const before = await cartOf(owner);
  await work();
  expect(await cartOf(owner)).toEqual(before);
};

describe('somebody else', () => {
  it('finds nothing to read or change, with or without a cart of their own', () =>
    untouched(async () => {
      const stranger = await t.guest();
      for (const [method, path, body] of acts)
        expect([method, (await call(stranger, method, path(), body)).status]).toEqual([method, 404]);
      expect((await call(stranger, 'GET', `/${cartId}`)).status).toBe(404);
      await shopper(Promise.resolve(stranger));
      for (const [method, body] of [['PUT', { quantity: 9 }], ['DELETE']] as const)
        expect((await call(stranger, method, `/me/lines/${lineId}`, body)).status).toBe(404);
      expect((await call(stranger, 'GET', `/${cartId}`)).status).toBe(404);
    }));

  it('is asked who they are', () =>
    untouched(async () => {
      for (const [method, path, body] of [...acts, ['GET', () => `/${cartId}`] as const])
        expect((await call(undefined, method, path(), body)).status).toBe(401);
      expect((await call(undefined, 'POST', '', { market: 'US' })).status).toBe(401);
    }));

  it('does not get in with a token that was revoked', async () => {
    const gone = await signedInGuest();
    await shopper(Promise.resolve(gone));
    await t.rest('POST', '/v1/users/logout', { as: gone });
    for (const [method, path, body] of acts)
      expect((await call(gone, method, path(), body)).status).toBe(401);
    const merging = await call(await t.person(), 'POST', '/me/merge', { guestToken: gone.token });
    expect([merging.status, faultsOf(merging.body)]).toEqual([422, ['guestToken INVALID_TOKEN']]);
  });
});

describe('staff', () => {
  it('read carts of their business with ORDERS_READ, and change none', () =>
    untouched(async () => {
      const manager = await t.hire(shop, await t.person(), 'MANAGER');
      const editor = await t.hire(shop, await t.person(), 'EDITOR');
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

  it('of another business find no cart there, nor does its owner', async () => {
    for (const as of [other.admin, shop.admin, owner])
      expect((await call(as, 'GET', `/${cartId}`, undefined, { shop: other })).status).toBe(404);
  });
});

describe('a lie', () => {
  it('about the business is 404', async () => {
    for (const businessId of [newId(), 'nowhere']) {
      const at = (path: string) => `${cartsOf({ businessId })}${path}`;
      for (const [method, path, body] of [...acts, ['POST', () => '', { market: 'US' }] as const])
        expect((await t.rest(method, at(path()), { as: owner, body })).status).toBe(404);
    }
  });

  it('about products of others, prices or numbers changes nothing', () =>
    untouched(async () => {
      const foreign = { productId: newId(), variantId: newId() };
      for (const [body, faults] of [
        [foreign, ['productId PRODUCT_NOT_FOUND']],
        [{ variantId: newId() }, ['variantId VARIANT_NOT_FOUND']],
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
        const { status, body: refused } = await add(owner, body);
        expect([status, faultsOf(refused)]).toEqual([422, faults]);
      }
      const { status, body } = await call(owner, 'PUT', '/me', {
        market: 'XX',
        promoCode: 'NONE',
        shippingMethodId: 'none',
      });
      expect([status, faultsOf(body)]).toEqual([422, ['market MARKET_NOT_FOUND']]);
      const unknown = await call(owner, 'PUT', '/me', { promoCode: 'NONE', shippingMethodId: 'none' });
      expect(faultsOf(unknown.body)).toEqual([
        'shippingMethodId SHIPPING_METHOD_NOT_FOUND',
        'promoCode PROMO_CODE_INVALID',
      ]);
      for (const id of ['note', 'lines.0.engraving']) {
        const { body: taken } = await call(owner, 'PUT', '/me', {
          blocks: [{ id, type: 'TEXT', value: 'x' }],
        });
        expect(faultsOf(taken)).toEqual(['blocks INVALID_VALUE']);
      }
    }));

  it('about who was the guest merges nothing', () =>
    untouched(async () => {
      const customer = await t.person();
      const victim = await shopper(t.person());
      for (const guestToken of [victim.token, 'nonsense', customer.token, `${owner.token}x`]) {
        const { status, body } = await call(customer, 'POST', '/me/merge', { guestToken });
        expect([status, faultsOf(body)]).toEqual([422, ['guestToken INVALID_TOKEN']]);
      }
      expect((await call(await t.guest(), 'POST', '/me/merge', { guestToken: owner.token })).status).toBe(
        403,
      );
      expect((await cartOf(victim)).lines).toHaveLength(1);
    }));

  it('is not needed for a cart that is full', async () => {
    const full = await shopper();
    const line = (
      await t.db.sql<{ lines: object[] }>('select lines from carts where customer_id = $1', [full.userId])
    )[0]?.lines[0];
    const lines = Array.from({ length: 500 }, () => ({ ...line, id: newId(), variantId: newId() }));
    await t.db.sql('update carts set lines = $2::jsonb where customer_id = $1', [
      full.userId,
      JSON.stringify(lines),
    ]);
    expect(faultsOf((await add(full)).body)).toEqual(['lines TOO_LONG']);
    expect((await checkOut(full)).status).toBe(422);
    const { status } = await call(full, 'DELETE', `/me/lines/${lines[0]?.id}`);
    expect([status, (await cartOf(full)).lines.length, (await open(full)).status]).toEqual([200, 499, 200]);
    expect((await add(full, pot)).status).toBe(200);
  });
});

describe('somebody who writes much', () => {
  const words = (length: number) =>
    Array.from({ length: length / 10_000 }, (_none, index) => ({
      id: `wish${index}`,
      type: 'TEXT',
      value: 'x'.repeat(10_000),
    }));
  const tooLong = [422, ['blocks TOO_LONG']];
  const told = ({ status, body }: { status: number; body: unknown }) => [status, faultsOf(body)];

  it('is told so, at once or line by line, and changes nothing', async () => {
    const talker = await t.guest();
    expect(told(await open(talker, { blocks: words(100_000) }))).toEqual(tooLong);
    await open(talker, { blocks: words(60_000) });
    expect(told(await add(talker, { blocks: words(40_000) }))).toEqual(tooLong);
    expect(told(await call(talker, 'PUT', '/me', { blocks: words(100_000) }))).toEqual(tooLong);
    const items = [{ ...pot, quantity: 1 }];
    const order = { market: 'US', shippingMethodId: 'standard', items };
    const ordered = { ...order, blocks: words(100_000) };
    expect(told(await t.rest('POST', `${shop.orders}/checkout`, { as: talker, body: ordered }))).toEqual(
      tooLong,
    );
    expect(await cartOf(talker)).toMatchObject({ lines: [], version: 1 });
  });

  it('leaves room for staff to go on', async () => {
    const talker = await t.guest();
    await open(talker, { blocks: words(50_000) });
    await add(talker, { blocks: words(40_000) });
    const { orderId: id } = (await checkOut(talker)).body;
    const put = (body: object) =>
      t.rest('PUT', `${shop.orders}/update`, { as: shop.admin, body: { id, ...body } });
    expect((await put({ blocks: words(880_000) })).status).toBe(200);
    expect((await put({ status: 'PROCESSING' })).status).toBe(200);
    expect((await put({ blocks: words(890_000), locale: 'de' })).status).toBe(200);
    // From before there was a limit.
    await t.db.sql(
      `update orders set blocks = jsonb_build_array(jsonb_build_object(
      'id', 'wish', 'type', 'TEXT', 'value', repeat('x', 1000001))) where id = $1`,
      [id],
    );
    expect((await put({ status: 'CANCELLED' })).status).toBe(200);
    expect((await put({ locale: 'en-GB' })).status).toBe(422);
  });
});

it('joins two long carts by looking at each line once', () => {
  let looks = 0;
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
        looks += 1;
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
  // Once to tell what is wanted, and once more where two become one.
  expect(looks).toBeLessThanOrEqual(600);
});

describe('an order that is taken back', () => {
  const line = (id: string, letters = 0): StoredCartLine => ({
    id,
    productId: newId(),
    variantId: newId(),
    quantity: 1,
    name: '',
    addedAt: 1,
    blocks: letters > 0 ? [{ id: 'engraving', type: 'TEXT', value: 'x'.repeat(letters) }] : [],
  });
  const cart = (count: number, letters?: number): StoredCart => ({
    id: newId(),
    businessId: newId(),
    customerId: newId(),
    market: 'US',
    blocks: [],
    lines: Array.from({ length: count }, (_none, index) => line(`${index}`, letters)),
    version: 1,
    createdAt: 1,
    updatedAt: 1,
  });

  it.each<[string, StoredCart, StoredCart, number]>([
    ['joins what the cart has by then', cart(2), cart(3), 5],
    ['is left out where there would be too many lines to change any', cart(300), cart(201), 300],
    ['is left out where it would be too long to be kept', cart(50, 15_000), cart(20, 15_000), 50],
  ])('%s', (_what, kept, ordered, lines) => {
    expect(restoreOrderedContent(kept, ordered).lines).toHaveLength(lines);
  });
});
