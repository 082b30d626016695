/** Each change of content and newsletters tells what it should; what is undone tells nobody. */
import { describe, expect, it } from 'vitest';
import type { SandboxPayments } from '../../src/adapters/payments/sandbox.ts';
import { createUnsubscribeToken } from '../../src/domains/newsletter/mail/mail-tokens.ts';
import { newId } from '../../src/lib/ids.ts';
import { onPostgres } from '../support/database.ts';
import { deliver, eventFor } from '../support/events.ts';
import { type Endpoint, register, verified } from '../support/hooks.ts';
import { addProduct } from '../support/selling.ts';
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

describe('content', () => {
  it('is created, changed and deleted', async () => {
    const { id: collectionId } = await call<{ id: string }>('POST', 'collections', { name: 'Journal' });
    expect(await receivedEvents()).toEqual([]);
    const blocks = [{ id: 'slug', type: 'TEXT', value: { en: 'hello', de: 'hallo' } }];
    const { id } = await call<{ id: string }>('POST', 'entries', { collectionId, locale: 'de', blocks });
    const facts = {
      id,
      businessId: shop.businessId,
      owner: `collection:${collectionId}`,
      collectionId,
      locale: 'de',
      slug: 'hallo',
      status: 'DRAFT',
      version: 1,
    };
    expect(await receivedEvents()).toEqual([{ type: 'entry.created', data: facts }]);
    await call('PUT', `entries/${id}`, { status: 'PUBLISHED' });
    const changed = { ...facts, status: 'PUBLISHED', version: 2 };
    expect(await receivedEvents()).toEqual([{ type: 'entry.updated', data: changed }]);
    await call('DELETE', `entries/${id}`);
    expect(await receivedEvents()).toEqual([{ type: 'entry.deleted', data: changed }]);
    const refused = await t.rest('POST', `${base}/entries`, {
      as: shop.admin,
      body: { collectionId: newId() },
    });
    expect(refused.status).toBe(422);
    expect(await receivedEvents()).toEqual([]);
  });

  it('without a collection has no collectionId', async () => {
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

describe('customer groups', () => {
  it('are created once, renamed and deleted, and refused without a word', async () => {
    const headers = { 'idempotency-key': newId() };
    const make = () =>
      t.rest<{ id: string }>('POST', `${base}/customer-groups`, {
        as: shop.admin,
        body: { name: 'Wholesale' },
        headers,
      });
    const [{ body }] = [await make(), await make()];
    const facts = { id: body.id, businessId: shop.businessId, name: 'Wholesale', version: 1 };
    expect(await receivedEvents()).toEqual([{ type: 'customer_group.created', data: facts }]);
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
    const renamed = { ...facts, name: 'Traders', version: 2 };
    expect(await receivedEvents()).toEqual([{ type: 'customer_group.updated', data: renamed }]);
    await call('DELETE', path);
    expect(await receivedEvents()).toEqual([{ type: 'customer_group.deleted', data: renamed }]);
  });

  it('are joined and left, each told once, in both voices', async () => {
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
    const strange = await t.rest('POST', `${base}/${path}`, { as: shop.admin, body: { userId: newId() } });
    expect([strange.status, await receivedEvents()]).toEqual([422, []]);
    const { errors } = await t.graphql(
      `mutation ($b: ID!, $g: ID!, $u: ID!) {
        addCustomerGroupMember(businessId: $b, groupId: $g, input: { userId: $u }) { member { userId } }
        removeCustomerGroupMember(businessId: $b, groupId: $g, userId: $u) { id } }`,
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
  const newsletter = async (more: object = {}) =>
    (await call<{ id: string }>('POST', 'collections', { name: 'Letter', type: 'NEWSLETTER', ...more })).id;
  const subscribe = (collectionId: string, body: object) =>
    call<{ id: string; checkoutUrl?: string }>('POST', `collections/${collectionId}/subscribe`, body, guest);
  const leave = (id: string) =>
    call('POST', 'collections/unsubscribe', {
      token: createUnsubscribeToken(t.app.services.keys.secret, shop.businessId, id),
    });

  it('are subscribed to, left, and subscribed to again', async () => {
    const collectionId = await newsletter();
    const email = `${newId()}@mail.example`;
    const { id } = await subscribe(collectionId, { email, name: 'Ada' });
    const facts = { id, businessId: shop.businessId, collectionId, status: 'ACTIVE' };
    expect(await receivedEvents()).toEqual([{ type: 'subscription.created', data: facts }]);
    await subscribe(collectionId, { email: email.toUpperCase() });
    expect(await receivedEvents()).toEqual([]);
    await leave(id);
    await leave(id);
    expect(await receivedEvents()).toEqual([
      { type: 'subscription.cancelled', data: { ...facts, status: 'UNSUBSCRIBED' } },
    ]);
    await subscribe(collectionId, { email });
    expect(await receivedEvents()).toEqual([{ type: 'subscription.activated', data: facts }]);
  });

  it('are paid for, and end with their payment', async () => {
    const collectionId = await newsletter({ plans });
    const email = `${newId()}@mail.example`;
    const { checkoutUrl = '' } = await subscribe(collectionId, { email, planId: 'pro' });
    const [created] = await receivedEvents();
    const facts = { ...created?.data, status: 'PENDING', planId: 'pro', collectionId };
    expect(created).toEqual({ type: 'subscription.created', data: facts });
    const sandbox = t.app.services.payments as SandboxPayments;
    const sessionId = checkoutUrl.split('/').at(-1) ?? '';
    await sandbox.applyAction(sessionId, 'pay');
    expect(await receivedEvents()).toEqual([
      { type: 'subscription.activated', data: { ...facts, status: 'ACTIVE' } },
    ]);
    const reference = `subscription:${created?.data.id}`;
    await deliver(t, eventFor('', { type: 'cancelled', reference, paymentId: `pay_${sessionId}` }));
    expect(await receivedEvents()).toEqual([
      { type: 'subscription.cancelled', data: { ...facts, status: 'CANCELLED' } },
      {
        type: 'subscription.ended',
        data: {
          ...facts,
          status: 'CANCELLED',
          currentPeriodStart: expect.any(Number),
          currentPeriodEnd: expect.any(Number),
        },
      },
    ]);
  });

  it('say when the last mail is out, with numbers and no addresses', async () => {
    const collectionId = await newsletter();
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

describe('who is told', () => {
  it('only who asked for the type or its group, while active', async () => {
    const picky = await t.shop();
    const paths = {
      '/exact': ['product.created'],
      '/group': ['product.*'],
      '/else': ['order.*', 'stock.low'],
      '/off': ['*'],
    };
    const endpoints: Record<string, Endpoint> = {};
    for (const [path, events] of Object.entries(paths))
      endpoints[path] = await register(t, picky, hooks.url + path, events);
    const products = `/v1/businesses/${picky.businessId}/products`;
    await t.rest('PUT', `/v1/businesses/${picky.businessId}/webhooks/${endpoints['/off']?.id}`, {
      as: picky.admin,
      body: { status: 'DISABLED' },
    });
    const { body } = await t.rest<{ id: string }>('POST', products, { as: picky.admin, body: { name: 'A' } });
    await t.rest('PUT', `${products}/${body.id}`, { as: picky.admin, body: { name: 'B' } });
    await t.app.drainJobs();
    const seen = hooks.received.splice(0).map((hook) => {
      const { type } = verified(endpoints[hook.path]?.secret ?? '', hook) as ReceivedEvent;
      return `${hook.path} ${type}`;
    });
    expect(seen.sort()).toEqual([
      '/exact product.created',
      '/group product.created',
      '/group product.updated',
    ]);
  });

  it('nothing is written where nobody listens', async () => {
    const silent = await t.shop();
    await register(t, silent, hooks.url, ['newsletter.sent']);
    await addProduct(t, silent);
    const [count] = await t.db.sql<{ events: number }>(
      'select count(*)::int as events from webhook_events where business_id = $1',
      [silent.businessId],
    );
    expect(count).toEqual({ events: 0 });
  });

  it('nobody of a change whose transaction is rolled back', async () => {
    const { emitWebhookEvents: announce } = await import('../../src/domains/webhooks/emit-events.ts');
    await t.db
      .transaction(async (tx) => {
        const data = { id: newId(), businessId: shop.businessId, userId: newId() };
        await announce(t.app.services, tx, shop.businessId, [{ type: 'customer_group.member_added', data }]);
        throw new Error('undone');
      })
      .catch(() => {});
    expect(await receivedEvents()).toEqual([]);
  });

  it.runIf(onPostgres)('nobody who is deleted in the same moment, and the change goes on', async () => {
    const shrinking = await t.shop();
    const { id } = await register(t, shrinking, hooks.url);
    let finish = () => {};
    const gate = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let deleting: Promise<void> | undefined;
    await new Promise<void>((deleted, fail) => {
      deleting = t.db.transaction(async (tx) => {
        await tx.sql('delete from webhook_endpoints where id = $1', [id]);
        deleted();
        await gate;
      });
      deleting.catch(fail);
    });
    const creating = t.rest('POST', `/v1/businesses/${shrinking.businessId}/products`, {
      as: shrinking.admin,
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
      [shrinking.businessId],
    );
    expect(count).toEqual({ events: 0 });
  });
});

assertNoPersonalData();
