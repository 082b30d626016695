/** Who may watch orders and stock, and when a stream ends. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { account } from '../support/accounts.ts';
import { codesOf, type Stream } from '../support/live.ts';
import { emptyOrder } from '../support/orders.ts';
import { addProduct } from '../support/selling.ts';
import {
  customer,
  other,
  pot,
  quantitiesOf,
  setStatus,
  setStock,
  shop,
  statusesOf,
  t,
  watchOrder,
  watchStock,
  within,
} from './setup.ts';

describe('who may not watch', () => {
  let id: string;
  beforeAll(async () => {
    id = await emptyOrder(t, shop, customer);
  });

  const ended = async (stream: Stream) => {
    await expect.poll(() => stream.ended, within).toBe('complete');
    return stream.received;
  };

  it.each([
    ['nobody, one order', async () => watchOrder(id, undefined), 'UNAUTHENTICATED'],
    ['nobody, all orders', async () => watchOrder(null, undefined), 'UNAUTHENTICATED'],
    ['nobody, stock', async () => watchStock(null, undefined), 'UNAUTHENTICATED'],
    ['a forged token', async () => watchOrder(id, { userId: '', token: 'a.b.c' }), 'UNAUTHENTICATED'],
    ['a guest, somebody’s order', async () => watchOrder(id, await t.guest()), 'NOT_FOUND'],
    ['a guest, all orders', async () => watchOrder(null, await t.guest()), 'FORBIDDEN'],
    ['another customer, the order', async () => watchOrder(id, await t.person()), 'NOT_FOUND'],
    ['the customer, all orders', async () => watchOrder(null, customer), 'FORBIDDEN'],
    [
      'an editor, all orders',
      async () => watchOrder(null, await t.hire(shop, await t.person(), 'EDITOR')),
      'FORBIDDEN',
    ],
    ['staff of another business, the order', async () => watchOrder(id, other.admin), 'NOT_FOUND'],
    [
      'staff of another business, the order as their own',
      async () => watchOrder(id, other.admin, other.businessId),
      'NOT_FOUND',
    ],
    ['staff of another business, all orders', async () => watchOrder(null, other.admin), 'FORBIDDEN'],
    ['staff, an order that does not exist', async () => watchOrder(newId(), shop.admin), 'NOT_FOUND'],
    ['staff, an id that is none', async () => watchOrder('none', shop.admin), 'NOT_FOUND'],
    ['a guest, a product that does not exist', async () => watchStock('none', await t.guest()), 'NOT_FOUND'],
    [
      'a guest, a product of another business',
      async () => watchStock(pot.productId, await t.guest(), other.businessId),
      'NOT_FOUND',
    ],
    [
      'a guest, a draft',
      async () => {
        const { productId } = await addProduct(t, shop, { status: 'DRAFT' });
        return watchStock(productId, await t.guest());
      },
      'NOT_FOUND',
    ],
  ])('%s', async (_who, subscribe, code) => {
    const stream = await subscribe();
    expect(await ended(stream)).toEqual([
      {
        errors: [
          {
            message: expect.any(String),
            locations: expect.any(Array),
            path: [expect.stringMatching(/^(order|stock)Changed$/)],
            extensions: { code, details: [], requestId: expect.any(String) },
          },
        ],
      },
    ]);
    expect(stream.status).toBe(200);
  });

  it('sees nothing of another business, whatever happens there', async () => {
    const mine = await watchOrder(null, other.admin, other.businessId);
    const stock = await watchStock(null, other.admin, other.businessId);
    const theirs = await emptyOrder(t, shop, customer);
    await setStatus(theirs, 'PROCESSING');
    await setStock(pot, 995);
    const foreignPot = await addProduct(t, other, { stock: 5 });
    const own = await emptyOrder(t, other, customer);
    await setStock(foreignPot, 4, other);
    await expect
      .poll(() => mine.received, within)
      .toEqual([{ data: { orderChanged: { id: own, status: 'PENDING', version: 1 } } }]);
    await expect.poll(() => quantitiesOf(stock), within).toEqual([4]);
  });

  it('sees drafts only with PRODUCTS_WRITE, also when all stock is watched', async () => {
    const draft = await addProduct(t, shop, { stock: 5, status: 'DRAFT' });
    const [asGuest, asStaff] = [await watchStock(null, await t.guest()), await watchStock(null, shop.admin)];
    await setStock(draft, 4);
    await expect.poll(() => quantitiesOf(asStaff), within).toEqual([4]);
    await setStock(pot, 994);
    await expect.poll(() => quantitiesOf(asGuest), within).toEqual([994]);
  });
});

describe('who may not watch any longer', () => {
  const ended = async (stream: Stream, code: string) => {
    await expect.poll(() => stream.ended, within).toBe('complete');
    expect(codesOf(stream)).toEqual([code]);
  };

  it('hears no more after signing out', async () => {
    const buyer = await account(t);
    const id = await emptyOrder(t, shop, buyer);
    const stream = await watchOrder(id, buyer);
    await expect.poll(() => statusesOf(stream), within).toEqual(['PENDING']);
    expect((await t.rest('POST', '/v1/users/logout', { as: buyer, body: {} })).status).toBe(200);
    await setStatus(id, 'PROCESSING');
    await ended(stream, 'UNAUTHENTICATED');
    expect(JSON.stringify(stream.received)).not.toContain('PROCESSING');
  });

  it('hears no more as a guest whose session has ended', async () => {
    const { body } = await t.rest<{ accessToken: string; userId: string }>('POST', '/v1/users/login', {
      body: { provider: 'GUEST' },
    });
    const guest = { userId: body.userId, token: body.accessToken };
    const id = await emptyOrder(t, shop, guest);
    const stream = await watchOrder(id, guest);
    await expect.poll(() => statusesOf(stream), within).toEqual(['PENDING']);
    await t.rest('POST', '/v1/users/logout', { as: guest, body: {} });
    await setStatus(id, 'PROCESSING');
    await ended(stream, 'UNAUTHENTICATED');
  });

  it('hears no more once the token has expired', async () => {
    const id = await emptyOrder(t, shop, customer);
    const stream = await watchOrder(id, customer);
    await expect.poll(() => statusesOf(stream), within).toEqual(['PENDING']);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3601 * 1000 });
    await ended(stream, 'UNAUTHENTICATED');
  });

  it('hears no more with an API key that was revoked', async () => {
    const key = await t.withApiKey(shop.admin);
    const stream = await watchOrder(null, key);
    const id = await emptyOrder(t, shop, customer);
    await expect.poll(() => statusesOf(stream), within).toEqual(['PENDING']);
    await t.db.sql('delete from api_tokens where user_id = $1', [shop.admin.userId]);
    await setStatus(id, 'PROCESSING');
    await ended(stream, 'UNAUTHENTICATED');
  });

  it('hears no more without the role, of one order or of all, of stock or of drafts', async () => {
    const manager = await t.hire(shop, await t.person(), 'MANAGER');
    const id = await emptyOrder(t, shop, customer);
    const draft = await addProduct(t, shop, { stock: 5, status: 'DRAFT' });
    const [all, one, stock] = [
      await watchOrder(null, manager),
      await watchOrder(id, manager),
      await watchStock(draft.productId, manager),
    ];
    await setStatus(id, 'PROCESSING');
    await expect.poll(() => statusesOf(all), within).toEqual(['PROCESSING']);
    await expect.poll(() => statusesOf(one), within).toEqual(['PENDING', 'PROCESSING']);
    const removed = await t.rest('DELETE', `/v1/businesses/${shop.businessId}/members/${manager.userId}`, {
      as: shop.admin,
    });
    expect(removed.status).toBe(200);
    await setStatus(id, 'SHIPPED');
    await ended(all, 'FORBIDDEN');
    await ended(one, 'NOT_FOUND');
    await ended(stock, 'NOT_FOUND');
    expect(JSON.stringify([all.received, one.received])).not.toContain('SHIPPED');
  });

  it('hears that the order is gone', async () => {
    const id = await emptyOrder(t, shop, customer);
    const [one, all] = [await watchOrder(id, customer), await watchOrder(null, shop.admin)];
    await t.db.sql('delete from orders where id = $1', [id]);
    await ended(one, 'NOT_FOUND');
    const next = await emptyOrder(t, shop, customer);
    await expect.poll(() => all.received.length, within).toBe(1);
    expect(all.received).toEqual([{ data: { orderChanged: { id: next, status: 'PENDING', version: 1 } } }]);
  });
});
