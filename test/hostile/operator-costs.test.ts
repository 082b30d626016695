/** Quotas for what costs the operator: model calls, text messages, businesses, images, and mails of businesses without a payment. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runBulk } from '../bulk/setup.ts';
import { picture, upload } from '../media/setup.ts';
import { createAccount } from '../support/accounts.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { createEmptyOrder } from '../support/empty-order.ts';

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
