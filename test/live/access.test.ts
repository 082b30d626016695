/** Permissions of subscriptions to orders and stock, and loss of permissions while a stream is open, over both transports. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { createAccount } from '../support/accounts.ts';
import { listenWithSockets } from '../support/graphql-socket-server.ts';
import { createEmptyOrder } from '../support/insert-empty-order.ts';
import { addProduct } from '../support/shop-fixtures.ts';
import { type EventStream, streamErrorCodes } from '../support/sse-client.ts';
import {
  customer,
  openSocketOn,
  other,
  overEventStreams,
  pot,
  quantitiesOf,
  setStatus,
  setStock,
  shop,
  statusesOf,
  t,
  watchersOver,
  within,
} from './setup.ts';

let port: number;
beforeAll(async () => {
  ({ port } = await listenWithSockets(t));
});

describe.each([
  ['server-sent events', { ...overEventStreams, status: 200 }],
  ['WebSocket', { ...watchersOver(openSocketOn(() => port)), status: 101 }],
] as const)('%s', (_transport, { watchOrder, watchStock, status }) => {
  describe('without permission', () => {
    let id: string;
    beforeAll(async () => {
      id = await createEmptyOrder(t, shop, customer);
    });

    const ended = async (stream: EventStream) => {
      await expect.poll(() => stream.state, within).toBe('complete');
      return stream.received;
    };

    it.each([
      ['anonymous client, one order', async () => watchOrder(id, undefined), 'UNAUTHENTICATED'],
      ['anonymous client, all orders', async () => watchOrder(null, undefined), 'UNAUTHENTICATED'],
      ['anonymous client, stock', async () => watchStock(null, undefined), 'UNAUTHENTICATED'],
      ['a forged token', async () => watchOrder(id, { userId: '', token: 'a.b.c' }), 'UNAUTHENTICATED'],
      ['a guest, the order of another customer', async () => watchOrder(id, await t.guest()), 'NOT_FOUND'],
      ['a guest, all orders', async () => watchOrder(null, await t.guest()), 'FORBIDDEN'],
      ['another customer, the order', async () => watchOrder(id, await t.person()), 'NOT_FOUND'],
      ['the customer, all orders', async () => watchOrder(null, customer), 'FORBIDDEN'],
      [
        'an editor, all orders',
        async () => watchOrder(null, await t.addMember(shop, await t.person(), 'EDITOR')),
        'FORBIDDEN',
      ],
      ['staff of another business, the order', async () => watchOrder(id, other.admin), 'NOT_FOUND'],
      [
        'staff of another business, the order under their own business',
        async () => watchOrder(id, other.admin, other.businessId),
        'NOT_FOUND',
      ],
      ['staff of another business, all orders', async () => watchOrder(null, other.admin), 'FORBIDDEN'],
      ['staff, an order that does not exist', async () => watchOrder(newId(), shop.admin), 'NOT_FOUND'],
      ['staff, a malformed id', async () => watchOrder('none', shop.admin), 'NOT_FOUND'],
      [
        'a guest, a product that does not exist',
        async () => watchStock('none', await t.guest()),
        'NOT_FOUND',
      ],
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
    ])('rejects %s', async (_label, subscribe, code) => {
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
      expect(stream.status).toBe(status);
    });

    it('receives no events of another business', async () => {
      const ownOrders = await watchOrder(null, other.admin, other.businessId);
      const stock = await watchStock(null, other.admin, other.businessId);
      const foreignOrder = await createEmptyOrder(t, shop, customer);
      await setStatus(foreignOrder, 'PROCESSING');
      await setStock(pot, 995);
      const foreignPot = await addProduct(t, other, { stock: 5 });
      const ownOrder = await createEmptyOrder(t, other, customer);
      await setStock(foreignPot, 4, other);
      await expect
        .poll(() => ownOrders.received, within)
        .toEqual([{ data: { orderChanged: { id: ownOrder, status: 'PENDING', version: 1 } } }]);
      await expect.poll(() => quantitiesOf(stock), within).toEqual([4]);
    });

    it('receives stock of drafts only with PRODUCTS_WRITE, also when subscribed to all stock', async () => {
      const draft = await addProduct(t, shop, { stock: 5, status: 'DRAFT' });
      const [asGuest, asStaff] = [
        await watchStock(null, await t.guest()),
        await watchStock(null, shop.admin),
      ];
      await setStock(draft, 4);
      await expect.poll(() => quantitiesOf(asStaff), within).toEqual([4]);
      await setStock(pot, 994);
      await expect.poll(() => quantitiesOf(asGuest), within).toEqual([994]);
    });
  });

  describe('when the permission is lost', () => {
    const ended = async (stream: EventStream, code: string) => {
      await expect.poll(() => stream.state, within).toBe('complete');
      expect(streamErrorCodes(stream)).toEqual([code]);
    };

    it('the stream ends after sign-out', async () => {
      const buyer = await createAccount(t);
      const id = await createEmptyOrder(t, shop, buyer);
      const stream = await watchOrder(id, buyer);
      await expect.poll(() => statusesOf(stream), within).toEqual(['PENDING']);
      expect((await t.rest('POST', '/v1/users/logout', { as: buyer, body: {} })).status).toBe(200);
      await setStatus(id, 'PROCESSING');
      await ended(stream, 'UNAUTHENTICATED');
      expect(JSON.stringify(stream.received)).not.toContain('PROCESSING');
    });

    it('the stream of a guest ends with the session', async () => {
      const { body } = await t.rest<{ accessToken: string; userId: string }>('POST', '/v1/users/login', {
        body: { provider: 'GUEST' },
      });
      const guest = { userId: body.userId, token: body.accessToken };
      const id = await createEmptyOrder(t, shop, guest);
      const stream = await watchOrder(id, guest);
      await expect.poll(() => statusesOf(stream), within).toEqual(['PENDING']);
      await t.rest('POST', '/v1/users/logout', { as: guest, body: {} });
      await setStatus(id, 'PROCESSING');
      await ended(stream, 'UNAUTHENTICATED');
    });

    it('the stream ends when the token expires', async () => {
      const id = await createEmptyOrder(t, shop, customer);
      const stream = await watchOrder(id, customer);
      await expect.poll(() => statusesOf(stream), within).toEqual(['PENDING']);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3601 * 1000 });
      await ended(stream, 'UNAUTHENTICATED');
    });

    it('the stream ends when the API key is revoked', async () => {
      const key = await t.withApiKey(shop.admin);
      const stream = await watchOrder(null, key);
      const id = await createEmptyOrder(t, shop, customer);
      await expect.poll(() => statusesOf(stream), within).toEqual(['PENDING']);
      await t.db.write('delete from api_tokens where user_id = $1', [shop.admin.userId]);
      await setStatus(id, 'PROCESSING');
      await ended(stream, 'UNAUTHENTICATED');
    });

    it('streams of one order, all orders and drafts end when the role is removed', async () => {
      const manager = await t.addMember(shop, await t.person(), 'MANAGER');
      const id = await createEmptyOrder(t, shop, customer);
      const draft = await addProduct(t, shop, { stock: 5, status: 'DRAFT' });
      const [ofBusiness, ofOrder, stock] = [
        await watchOrder(null, manager),
        await watchOrder(id, manager),
        await watchStock(draft.productId, manager),
      ];
      await setStatus(id, 'PROCESSING');
      await expect.poll(() => statusesOf(ofBusiness), within).toEqual(['PROCESSING']);
      await expect.poll(() => statusesOf(ofOrder), within).toEqual(['PENDING', 'PROCESSING']);
      const removed = await t.rest('DELETE', `/v1/businesses/${shop.businessId}/members/${manager.userId}`, {
        as: shop.admin,
      });
      expect(removed.status).toBe(200);
      await setStatus(id, 'SHIPPED');
      await ended(ofBusiness, 'FORBIDDEN');
      await ended(ofOrder, 'NOT_FOUND');
      await ended(stock, 'NOT_FOUND');
      expect(JSON.stringify([ofBusiness.received, ofOrder.received])).not.toContain('SHIPPED');
    });

    it('the stream of a deleted order ends with NOT_FOUND', async () => {
      const id = await createEmptyOrder(t, shop, customer);
      const [ofOrder, ofBusiness] = [await watchOrder(id, customer), await watchOrder(null, shop.admin)];
      await t.db.write('delete from orders where id = $1', [id]);
      await ended(ofOrder, 'NOT_FOUND');
      const next = await createEmptyOrder(t, shop, customer);
      await expect.poll(() => ofBusiness.received.length, within).toBe(1);
      expect(ofBusiness.received).toEqual([
        { data: { orderChanged: { id: next, status: 'PENDING', version: 1 } } },
      ]);
    });
  });
});
