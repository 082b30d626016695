/** Quotas for what costs the operator: model calls, text messages, businesses, images, and mails of businesses without a payment. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runBulk } from '../bulk/setup.ts';
import { picture, requestUpload, upload } from '../media/setup.ts';
import { createAccount } from '../support/accounts.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';
import { createEmptyOrder } from '../support/insert-empty-order.ts';
import {
  addProduct,
  addPromoCode,
  createSellingShop,
  type SellingShop,
  type SoldProduct,
} from '../support/shop-fixtures.ts';

describe('with default settings', () => {
  let t: TestApp;
  let shop: Shop;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'duet-costs-'));
    t = await testApp({
      MEDIA_DIR: folder,
      BUSINESSES_PER_ACCOUNT: '2',
      SMS_PER_DAY: '2',
    });
    shop = await t.shop();
    afterAll(() => rm(folder, { recursive: true }));
  });

  it('limits text generation per account', async () => {
    const generate = () =>
      t.rest('POST', `/v1/businesses/${shop.businessId}/collections/blocks/generate`, {
        as: shop.admin,
        body: { prompt: 'A cup', blocks: [{ id: 'title', type: 'TEXT' }] },
      });
    const statuses = [];
    for (let call = 0; call < 31; call += 1) statuses.push((await generate()).status);
    expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 200));
    expect(statuses[30]).toBe(429);
  });

  it('limits the businesses that an account founds, also under concurrency', async () => {
    const person = await t.person();
    const found = (name: string) => t.rest('POST', '/v1/businesses', { as: person, body: { name } });
    const statuses = (await Promise.all(['A', 'B', 'C', 'D'].map(found))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 403, 403]);
    expect(await t.db.prisma.membership.count({ where: { userId: person.userId } })).toBe(2);
  });

  it('limits text messages per day', async () => {
    const statuses = [];
    for (let index = 0; index < 3; index += 1)
      statuses.push(
        (
          await t.rest('POST', '/v1/users/phone-number', {
            as: await createAccount(t),
            body: { phoneNumber: `+491511234567${index}` },
          })
        ).status,
      );
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('decodes an image once for all its resolutions', async () => {
    const decode = vi.spyOn(t.app.services.images, 'resize');
    await upload(t, shop, await picture(2000, 1000));
    await t.app.drainJobs();
    expect(decode).toHaveBeenCalledTimes(1);
    const files = await t.db.prisma.mediaFile.findMany({ where: { businessId: shop.businessId } });
    expect(files.map(({ state }) => state)).toEqual(['READY']);
    decode.mockRestore();
  });
});

it('lets only the listed accounts found businesses', async () => {
  const t = await testApp({ BUSINESS_FOUNDERS: 'boss@people.example, Second@people.example' });
  const create = async (email: string) =>
    (await t.rest('POST', '/v1/businesses', { as: await t.person({ email }), body: { name: 'X' } })).status;
  expect([await create('boss@people.example'), await create('second@people.example')]).toEqual([200, 200]);
  expect(await create('other@people.example')).toBe(403);
});

describe('a business without a payment, whose mails are really sent', () => {
  let t: TestApp;
  let shop: Shop;
  let base: string;
  let list: string;
  beforeAll(async () => {
    t = await testApp({
      SMTP_URL: 'smtp://127.0.0.1:9',
      UNPROVEN_MAILS_PER_DAY: '2',
      RATE_LIMIT: 'on',
    });
    shop = await t.shop();
    base = `/v1/businesses/${shop.businessId}`;
    const { body } = await t.rest<{ id: string }>('POST', `${base}/collections`, {
      as: shop.admin,
      body: { name: 'Letter', type: 'NEWSLETTER' },
    });
    list = body.id;
  });
  const subscribe = async (email: string, as = shop.admin) =>
    (
      await t.rest<{ status: string }>('POST', `${base}/collections/${list}/subscribe`, {
        as,
        body: { email },
      })
    ).body.status;
  const importSubscriber = (email: string) =>
    runBulk(t, shop, 'imports', {
      ...{ resource: 'SUBSCRIBERS', format: 'CSV', collectionId: list },
      content: `email\n${email}\n`,
    });
  const statusOf = async (key: string) =>
    (await t.db.prisma.subscription.findFirstOrThrow({ where: { key } })).status;
  const send = async () => {
    const { body } = await t.rest<{ id: string }>('POST', `${base}/entries`, {
      as: shop.admin,
      body: { collectionId: list, blocks: [{ id: 'title', type: 'TEXT', value: 'News' }] },
    });
    return (await t.rest('POST', `${base}/entries/${body.id}/send`, { as: shop.admin, body: {} })).status;
  };

  it('cannot vouch for subscribers, and has a daily quota, until it is paid', async () => {
    await importSubscriber('stranger@people.example');
    expect(await statusOf('stranger@people.example')).toBe('PENDING_CONFIRMATION');
    expect(await subscribe('reader@people.example')).toBe('ACTIVE');
    await t.db.write(`delete from subscriptions where key = 'reader@people.example'`);
    await t.db.write(`update subscriptions set status = 'ACTIVE' where collection_id = $1`, [list]);
    expect([await send(), await send(), await send()]).toEqual([200, 200, 429]);
    const order = await createEmptyOrder(t, shop, await t.person());
    await t.db.write('update orders set captured = 100 where id = $1', [order]);
    expect(await send()).toBe(200);
    await importSubscriber('known@people.example');
    expect(await statusOf('known@people.example')).toBe('ACTIVE');
  });
});

describe('the files of a business', () => {
  it('have a quota for uploads, imports and exports together, also under concurrency', async () => {
    const t = await testApp({ STORAGE_MB_PER_BUSINESS: '3' });
    const [shop, other] = [await t.shop(), await t.shop()];
    const megabyte = 1024 * 1024;
    const reserve = async (size: number, at = shop) =>
      (await requestUpload(t, at, { fileName: 'a.jpg', contentType: 'image/jpeg', size })).status;
    const bulk = async (kind: string, body: object) =>
      (
        await t.rest('POST', `/v1/businesses/${shop.businessId}/bulk-operations/${kind}`, {
          as: shop.admin,
          body: { resource: 'PRODUCTS', ...body },
        })
      ).status;
    expect((await Promise.all([1, 1, 1, 1, 1].map(() => reserve(megabyte)))).sort()).toEqual([
      200, 200, 200, 403, 403,
    ]);
    expect([await bulk('imports', { content: '{}' }), await bulk('exports', {})]).toEqual([403, 403]);
    expect(await reserve(megabyte, other)).toBe(200);
    await t.db.write('delete from media where business_id = $1', [shop.businessId]);
    expect(await bulk('imports', { content: '{}\n'.repeat(200_000) })).toBe(200);
    expect([await reserve(2 * megabyte), await reserve(megabyte)]).toEqual([200, 403]);
    // The sum exceeds 32 bits.
    await t.db.write('update media set size = 2147483647 where business_id = $1', [shop.businessId]);
    await t.db.write('update bulk_operations set size = 2147483647 where business_id = $1', [
      shop.businessId,
    ]);
    expect(await reserve(1)).toBe(403);
  });
});

describe('the records of a business', () => {
  it('have a quota for each kind, also under concurrency and in imports', async () => {
    const t = await testApp({ RECORDS_PER_BUSINESS: '3', RATE_LIMIT: 'on' });
    const [shop, other] = [await t.shop(), await t.shop()];
    const create =
      (path: string, fields: object, at = shop) =>
      async (_: unknown, n: number) =>
        (
          await t.rest('POST', `/v1/businesses/${at.businessId}${path}`, {
            as: at.admin,
            body: { name: `N${n}`, ...fields },
          })
        ).status;
    const five = Array.from({ length: 5 });
    const statusesOf = async (path: string, fields = {}) =>
      (await Promise.all(five.map(create(path, fields)))).sort();
    expect(await statusesOf('/products')).toEqual([200, 200, 200, 403, 403]);
    expect(await statusesOf('/customer-groups')).toEqual([200, 200, 200, 403, 403]);
    expect(await statusesOf('/collections', { type: 'NEWSLETTER' })).toEqual([200, 200, 200, 403, 403]);
    const [{ id: collectionId } = { id: '' }] = await t.db.sql<{ id: string }>(
      'select id from collections where business_id = $1',
      [shop.businessId],
    );
    expect(await statusesOf('/entries', { collectionId })).toEqual([200, 200, 200, 403, 403]);
    const subscribe = (email: string) =>
      create(`/collections/${collectionId}/subscribe`, { email })(undefined, 0);
    const subscribers = ['a@people.example', 'b@people.example', 'c@people.example', 'd@people.example'];
    expect((await Promise.all(subscribers.map(subscribe))).sort()).toEqual([200, 200, 200, 403]);

    const imported = await runBulk(t, shop, 'imports', {
      ...{ resource: 'PRODUCTS', format: 'JSONL', content: '{"name":"Imported"}' },
    });
    expect(imported).toMatchObject({ done: 0, failed: 1 });
    expect(await create('/products', {}, other)(undefined, 0)).toBe(200);
    await t.db.write('delete from products where business_id = $1', [shop.businessId]);
    expect(await create('/products', {})(undefined, 0)).toBe(200);
  });
});

describe('mails about orders, which are really sent,', () => {
  let t: TestApp;
  let shop: SellingShop;
  let gift: SoldProduct;
  beforeAll(async () => {
    t = await testApp({ SMTP_URL: 'smtp://127.0.0.1:9', UNPROVEN_MAILS_PER_DAY: '3' });
    shop = await createSellingShop(t);
    gift = await addProduct(t, shop, { price: 0 });
    await addPromoCode(t, shop, { code: 'ALL', type: 'FREE_SHIPPING' });
  });
  const queuedMails = async () =>
    (await t.db.sql<{ id: string }>(`select id from pgboss.job where name = 'mail'`)).length;
  const orderFor = async (email: string, as: Person) =>
    (
      await t.rest('POST', `${shop.orders}/checkout`, {
        as,
        body: {
          ...{ market: 'US', shippingMethodId: 'standard', promoCode: 'ALL', email },
          items: [{ ...gift, quantity: 1 }],
        },
      })
    ).status;

  it('to strangers have the daily quota of a business without a payment', async () => {
    const lines = [{ ...gift, quantity: 1, unitPrice: 0 }];
    const statuses = [];
    for (let n = 0; n < 5; n += 1) {
      const { body } = await t.rest<{ id: string }>('POST', shop.orders, {
        as: shop.admin,
        body: { market: 'US', lines, contactEmail: `stranger-${n}@people.example` },
      });
      const path = `${shop.orders}/${body.id}/fulfilments`;
      statuses.push((await t.rest('POST', path, { as: shop.admin, body: {} })).status);
    }
    expect([statuses, await queuedMails()]).toEqual([[200, 200, 200, 200, 200], 3]);
  });

  it('to one address and by guests of one network are limited', async () => {
    await t.db.write('update orders set captured = 100 where business_id = $1', [shop.businessId]);
    const before = await queuedMails();
    const as = await t.guest();
    const statuses = [];
    for (let n = 0; n < 61; n += 1) statuses.push(await orderFor('victim@people.example', as));
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([60, 429]);
    expect((await queuedMails()) - before).toBe(30);
    expect(await orderFor('', await t.guest())).toBe(200);
    expect(await orderFor('me@people.example', await t.person())).toBe(200);
  });
});
