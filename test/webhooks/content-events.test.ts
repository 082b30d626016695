/** Webhook events of entries, customer groups and newsletters; no events for rolled-back changes. */
import { describe, expect, it } from 'vitest';
import type { SandboxPaymentProvider } from '../../src/adapters/payments/sandbox.ts';
import { createUnsubscribeToken } from '../../src/domains/newsletter/mail/mail-tokens.ts';
import { newId } from '../../src/lib/ids.ts';
import { onPostgres } from '../support/database.ts';
import { createPaymentEvent, deliverPaymentEvent } from '../support/payment-events.ts';
import { addProduct } from '../support/shop-fixtures.ts';
import { registerEndpoint, verifyWebhook, type WebhookEndpoint } from '../support/webhook-receiver.ts';
import {
  assertNoPersonalData,
  base,
  call,
  guest,
  hooks,
  type ReceivedEvent,
  receivedEvents,
  shop,
  t,
} from './events-setup.ts';

describe('entries', () => {
  it('emit created, updated and deleted', async () => {
    const { id: collectionId } = await call<{ id: string }>('POST', 'collections', { name: 'Journal' });
    expect(await receivedEvents()).toEqual([]);
    const blocks = [{ id: 'slug', type: 'TEXT', value: { en: 'hello', de: 'hallo' } }];
    const { id } = await call<{ id: string }>('POST', 'entries', { collectionId, locale: 'de', blocks });
    const eventData = {
      id,
      businessId: shop.businessId,
      owner: `collection:${collectionId}`,
      collectionId,
      locale: 'de',
      slug: 'hallo',
      status: 'DRAFT',
      version: 1,
    };
    expect(await receivedEvents()).toEqual([{ type: 'entry.created', data: eventData }]);
    await call('PUT', `entries/${id}`, { status: 'PUBLISHED' });
    const changed = { ...eventData, status: 'PUBLISHED', version: 2 };
    expect(await receivedEvents()).toEqual([{ type: 'entry.updated', data: changed }]);
    await call('DELETE', `entries/${id}`);
    expect(await receivedEvents()).toEqual([{ type: 'entry.deleted', data: changed }]);
    const rejected = await t.rest('POST', `${base}/entries`, {
      as: shop.admin,
      body: { collectionId: newId() },
    });
    expect(rejected.status).toBe(422);
    expect(await receivedEvents()).toEqual([]);
  });

  it('without a collection have no collectionId', async () => {
    await call('POST', 'entries', { owner: 'reservation:7', blocks: [] });
    const [event] = await receivedEvents();
    expect(Object.keys(event?.data ?? {})).toEqual([
      'id',
      'businessId',
      'owner',
      'locale',
      'status',
      'version',
    ]);
  });
});

it('reports categories that are created, moved, and moved up when their parent is deleted', async () => {
  const parent = await call<{ id: string }>('POST', 'categories', { name: 'Parent' });
  const child = await call<{ id: string }>('POST', 'categories', { name: 'Child', parentId: 'parent' });
  const { businessId } = shop;
  const parentData = { id: parent.id, businessId, slug: 'parent', name: 'Parent', version: 1 };
  const childData = { id: child.id, businessId, slug: 'child', name: 'Child', version: 1 };
  expect(await receivedEvents()).toEqual([
    { type: 'category.created', data: parentData },
    { type: 'category.created', data: { ...childData, parentId: parent.id } },
  ]);
  await call('DELETE', 'categories/parent?force=true');
  expect(await receivedEvents()).toEqual([
    { type: 'category.deleted', data: parentData },
    { type: 'category.updated', data: { ...childData, version: 2 } },
  ]);
});

describe('customer groups', () => {
  it('emit created once, updated and deleted, and nothing for rejected requests', async () => {
    const headers = { 'idempotency-key': newId() };
    const createGroup = () =>
      t.rest<{ id: string }>('POST', `${base}/customer-groups`, {
        as: shop.admin,
        body: { name: 'Wholesale' },
        headers,
      });
    const [{ body }] = [await createGroup(), await createGroup()];
    const eventData = { id: body.id, businessId: shop.businessId, name: 'Wholesale', version: 1 };
    expect(await receivedEvents()).toEqual([{ type: 'customer_group.created', data: eventData }]);
    const again = await t.rest('POST', `${base}/customer-groups`, {
      as: shop.admin,
      body: { name: 'Wholesale' },
    });
    const path = `customer-groups/${body.id}`;
    const late = await t.rest('PUT', `${base}/${path}`, {
      as: shop.admin,
      body: { name: 'Late' },
      headers: { 'if-match': '"7"' },
    });
    expect([again.status, late.status, await receivedEvents()]).toEqual([422, 412, []]);
    await call('PUT', path, { name: 'Traders' });
    const renamed = { ...eventData, name: 'Traders', version: 2 };
    expect(await receivedEvents()).toEqual([{ type: 'customer_group.updated', data: renamed }]);
    await call('DELETE', path);
    expect(await receivedEvents()).toEqual([{ type: 'customer_group.deleted', data: renamed }]);
  });

  it('emit member_added and member_removed once each, over REST and GraphQL', async () => {
    const { id } = await call<{ id: string }>('POST', 'customer-groups', { name: 'Friends' });
    const [{ userId }, path] = [shop.admin, `customer-groups/${id}/members`];
    await receivedEvents();
    const data = { id, businessId: shop.businessId, userId };
    await Promise.all([1, 2, 3].map(() => call('POST', path, { userId })));
    expect(await receivedEvents()).toEqual([{ type: 'customer_group.member_added', data }]);
    const remove = () => t.rest('DELETE', `${base}/${path}/${userId}`, { as: shop.admin });
    const removed = await Promise.all([remove(), remove()]);
    expect(removed.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await receivedEvents()).toEqual([{ type: 'customer_group.member_removed', data }]);
    const unknownUser = await t.rest('POST', `${base}/${path}`, {
      as: shop.admin,
      body: { userId: newId() },
    });
    expect([unknownUser.status, await receivedEvents()]).toEqual([422, []]);
    const { errors } = await t.graphql(
      `mutation ($b: ID!, $g: ID!, $u: ID!) {
        addCustomerGroupMember(businessId: $b, groupId: $g, input: { userId: $u }) { member { userId } }
        removeCustomerGroupMember(businessId: $b, groupId: $g, userId: $u) { id: deletedId } }`,
      { b: shop.businessId, g: id, u: userId },
      { as: shop.admin },
    );
    expect(errors).toEqual([]);
    expect(await receivedEvents()).toEqual([
      { type: 'customer_group.member_added', data },
      { type: 'customer_group.member_removed', data },
    ]);
  });
});

describe('newsletters', () => {
  const plans = [{ id: 'pro', name: 'Pro', price: { amount: 500, currency: 'usd', interval: 'MONTHLY' } }];
  const createNewsletter = async (more: object = {}) =>
    (await call<{ id: string }>('POST', 'collections', { name: 'Letter', type: 'NEWSLETTER', ...more })).id;
  const subscribe = (collectionId: string, body: object) =>
    call<{ id: string; checkoutUrl?: string }>('POST', `collections/${collectionId}/subscribe`, body, guest);
  const tokenOf = (id: string) => createUnsubscribeToken(t.app.services.keys.secret, shop.businessId, id);
  const unsubscribe = (id: string) => call('POST', 'collections/unsubscribe', { token: tokenOf(id) });

  it('emit subscription created, cancelled and activated', async () => {
    const collectionId = await createNewsletter();
    const email = `${newId()}@mail.example`;
    const { id } = await subscribe(collectionId, { email, name: 'Ada' });
    const eventData = { id, businessId: shop.businessId, collectionId, status: 'ACTIVE' };
    expect(await receivedEvents()).toEqual([{ type: 'subscription.created', data: eventData }]);
    await subscribe(collectionId, { email: email.toUpperCase() });
    expect(await receivedEvents()).toEqual([]);
    await unsubscribe(id);
    await unsubscribe(id);
    expect(await receivedEvents()).toEqual([
      { type: 'subscription.cancelled', data: { ...eventData, status: 'UNSUBSCRIBED' } },
    ]);
    await subscribe(collectionId, { email });
    expect(await receivedEvents()).toEqual([]);
    await call('POST', 'subscriptions/resubscribe', { token: tokenOf(id) });
    expect(await receivedEvents()).toEqual([{ type: 'subscription.activated', data: eventData }]);
  });

  it('emit activated by payment, and cancelled and ended with the payment', async () => {
    const collectionId = await createNewsletter({ plans });
    const email = `${newId()}@mail.example`;
    const { checkoutUrl = '' } = await subscribe(collectionId, { email, planId: 'pro' });
    const [created] = await receivedEvents();
    const eventData = { ...created?.data, status: 'PENDING', planId: 'pro', collectionId };
    expect(created).toEqual({ type: 'subscription.created', data: eventData });
    const sandbox = t.app.services.payments as SandboxPaymentProvider;
    const sessionId = checkoutUrl.split('/').at(-1) ?? '';
    await sandbox.applyAction(sessionId, 'pay');
    expect(await receivedEvents()).toEqual([
      { type: 'subscription.activated', data: { ...eventData, status: 'ACTIVE' } },
    ]);
    const reference = `subscription:${created?.data.id}`;
    await deliverPaymentEvent(
      t,
      createPaymentEvent('', { type: 'cancelled', reference, paymentId: `pay_${sessionId}` }),
    );
    expect(await receivedEvents()).toEqual([
      { type: 'subscription.cancelled', data: { ...eventData, status: 'CANCELLED' } },
      {
        type: 'subscription.ended',
        data: {
          ...eventData,
          status: 'CANCELLED',
          currentPeriodStart: expect.any(Number),
          currentPeriodEnd: expect.any(Number),
        },
      },
    ]);
  });

  it('emit newsletter.sent with counts and without addresses', async () => {
    const collectionId = await createNewsletter();
    for (const name of ['a', 'b'])
      await subscribe(collectionId, { email: `${name}-${newId()}@mail.example` });
    const entry = await call<{ id: string }>('POST', 'entries', { collectionId, blocks: [] });
    await receivedEvents();
    const { sendId } = await call<{ sendId: string }>('POST', `entries/${entry.id}/send`, {});
    expect(await receivedEvents()).toEqual([
      {
        type: 'newsletter.sent',
        data: {
          sendId,
          businessId: shop.businessId,
          collectionId,
          entryId: entry.id,
          recipients: 2,
          sent: 2,
          failed: 0,
        },
      },
    ]);
  });
});

describe('subscribed endpoints', () => {
  it('receive only subscribed types and groups, while active', async () => {
    const selectiveShop = await t.shop();
    const paths = {
      '/exact': ['product.created'],
      '/group': ['product.*'],
      '/else': ['order.*', 'stock.low'],
      '/off': ['*'],
    };
    const endpoints: Record<string, WebhookEndpoint> = {};
    for (const [path, events] of Object.entries(paths))
      endpoints[path] = await registerEndpoint(t, selectiveShop, hooks.url + path, events);
    const products = `/v1/businesses/${selectiveShop.businessId}/products`;
    await t.rest('PUT', `/v1/businesses/${selectiveShop.businessId}/webhooks/${endpoints['/off']?.id}`, {
      as: selectiveShop.admin,
      body: { status: 'DISABLED' },
    });
    const { body } = await t.rest<{ id: string }>('POST', products, {
      as: selectiveShop.admin,
      body: { name: 'A' },
    });
    await t.rest('PUT', `${products}/${body.id}`, { as: selectiveShop.admin, body: { name: 'B' } });
    await t.app.drainJobs();
    const seen = hooks.received.splice(0).map((hook) => {
      const { type } = verifyWebhook(endpoints[hook.path]?.secret ?? '', hook) as ReceivedEvent;
      return `${hook.path} ${type}`;
    });
    expect(seen.sort()).toEqual([
      '/exact product.created',
      '/group product.created',
      '/group product.updated',
    ]);
  });

  it('no event rows without a subscribed endpoint', async () => {
    const silentShop = await t.shop();
    await registerEndpoint(t, silentShop, hooks.url, ['newsletter.sent']);
    await addProduct(t, silentShop);
    const [count] = await t.db.sql<{ events: number }>(
      'select count(*)::int as events from webhook_events where business_id = $1',
      [silentShop.businessId],
    );
    expect(count).toEqual({ events: 0 });
  });

  it('receive nothing of a rolled-back transaction', async () => {
    const { emitWebhookEvents } = await import('../../src/domains/webhooks/emit-events.ts');
    await t.db
      .transaction(async (tx) => {
        const data = { id: newId(), businessId: shop.businessId, userId: newId() };
        await emitWebhookEvents(t.app.services, tx, shop.businessId, [
          { type: 'customer_group.member_added', data },
        ]);
        throw new Error('roll back');
      })
      .catch(() => {});
    expect(await receivedEvents()).toEqual([]);
  });

  it.runIf(onPostgres)('that are deleted concurrently do not block the change', async () => {
    const concurrentShop = await t.shop();
    const { id } = await registerEndpoint(t, concurrentShop, hooks.url);
    let finish = () => {};
    const gate = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let deleting: Promise<void> | undefined;
    await new Promise<void>((deleted, fail) => {
      deleting = t.db.transaction(async (tx) => {
        await tx.write('delete from webhook_endpoints where id = $1', [id]);
        deleted();
        await gate;
      });
      deleting.catch(fail);
    });
    const creating = t.rest('POST', `/v1/businesses/${concurrentShop.businessId}/products`, {
      as: concurrentShop.admin,
      body: { name: 'Late' },
    });
    const blocked = `select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(() => t.db.sql(blocked)).toEqual([{ count: 1 }]);
    finish();
    await deleting;
    expect((await creating).status).toBe(200);
    const [count] = await t.db.sql<{ events: number }>(
      'select count(*)::int as events from webhook_events where business_id = $1',
      [concurrentShop.businessId],
    );
    expect(count).toEqual({ events: 0 });
  });
});

assertNoPersonalData();
