/** Double opt-in: an email address receives newsletters only after its owner has confirmed it. */
import { describe, expect, it } from 'vitest';
import {
  createSubscriptionConfirmToken,
  createUnsubscribeToken,
} from '../../src/domains/newsletter/mail/mail-tokens.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { retentionJob } from '../../src/maintenance/retention-job.ts';
import { latestMailToken } from '../support/accounts.ts';
import {
  createNewsletter,
  idOf,
  other,
  type Subscription,
  shop,
  statusOf,
  subscribe,
  t,
  uniqueEmail,
} from './setup.ts';

const call = (path: string, init: RequestInit = {}) =>
  t.app.fetch(new Request(`http://duet.test${path}`, init));
const form = (token: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: `token=${token}`,
});
const confirmPath = (of = shop) => `/v1/businesses/${of.businessId}/subscriptions/confirm`;
const tokenOf = (id: string) =>
  createSubscriptionConfirmToken(t.app.services.keys.secret, shop.businessId, id);
const confirm = (token: string) => t.rest<Subscription>('POST', confirmPath(), { body: { token } });
const doubleOptInNewsletter = newsletterOnce();
function newsletterOnce() {
  let id: Promise<string> | undefined;
  return () => {
    id ??= createNewsletter(shop, { name: 'Asked', doubleOptIn: true });
    return id;
  };
}
const subscribeAs = async (email = uniqueEmail(), planId = 'free') =>
  (await subscribe({ email, planId, name: 'Buy pills' }, { list: await doubleOptInNewsletter() })).body;

describe('double opt-in', () => {
  it('is available for newsletters only, and off by default', async () => {
    const path = `/v1/businesses/${shop.businessId}/collections`;
    const as = shop.admin;
    const rejected = await t.rest('POST', path, { as, body: { name: 'Pages', doubleOptIn: true } });
    expect(rejected).toMatchObject({
      status: 422,
      body: { details: [{ field: 'doubleOptIn', error: 'NOT_A_NEWSLETTER' }] },
    });
    const singleOptIn = await createNewsletter();
    expect((await t.rest('GET', `${path}/${singleOptIn}`, { as })).body).toMatchObject({
      doubleOptIn: false,
    });
    expect((await t.rest('GET', `${path}/${await doubleOptInNewsletter()}`, { as })).body).toMatchObject({
      doubleOptIn: true,
    });
    const { body } = await t.rest<{ id: string }>('POST', path, { as, body: { name: 'Standard' } });
    expect((await t.rest('GET', `${path}/${body.id}`, { as })).body).not.toHaveProperty('doubleOptIn');
  });

  it('activates by the button behind the mail link, over REST and GraphQL, idempotently', async () => {
    const email = uniqueEmail();
    const { id, status } = await subscribeAs(email);
    expect(status).toBe('PENDING_CONFIRMATION');
    expect(await latestMailToken(t, email)).toBe(tokenOf(id));
    const [mail] = await t.outbox(email);
    expect(mail?.subject).toBe('Confirm your subscription to Asked');
    expect(mail?.html).not.toContain('Buy pills');
    const link = `${confirmPath()}?token=${tokenOf(id)}`;
    for (const accept of ['text/html', '*/*', 'application/json, text/html']) {
      const page = await call(link, { headers: { accept } });
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const text = await page.text();
      for (const part of ['Asked', email, tokenOf(id)]) expect(text).toContain(part);
    }
    expect((await call(link, { method: 'HEAD' })).status).toBe(200);
    expect((await call(link, { headers: { accept: 'application/json' } })).status).toBe(405);
    for (const part of ['confirm', 'resubscribe']) {
      const unknownBusiness = `/v1/businesses/${newId()}/subscriptions/${part}?token=x`;
      expect((await call(unknownBusiness, { headers: { accept: '*/*' } })).status).toBe(404);
      expect((await call(unknownBusiness, { method: 'HEAD' })).status).toBe(404);
    }
    expect(await statusOf(id)).toBe('PENDING_CONFIRMATION');
    for (let time = 0; time < 2; time += 1) {
      const done = await call(confirmPath(), form(tokenOf(id)));
      expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('You are subscribed')]);
      expect(await confirm(tokenOf(id))).toMatchObject({ status: 200, body: { id, status: 'ACTIVE' } });
    }
    const second = await subscribeAs();
    const viaGraphql = await t.graphql(
      'mutation($b: ID!, $t: String!) { confirmSubscription(businessId: $b, token: $t) { subscription { id status } } }',
      { b: shop.businessId, t: tokenOf(second.id) },
    );
    expect(viaGraphql.data).toEqual({
      confirmSubscription: { subscription: { id: second.id, status: 'ACTIVE' } },
    });
  });

  it('accepts only confirmation tokens of this business', async () => {
    const { id } = await subscribeAs();
    const { secret } = t.app.services.keys;
    for (const invalidToken of [
      createUnsubscribeToken(secret, shop.businessId, id),
      createSubscriptionConfirmToken(secret, other.businessId, id),
      createSubscriptionConfirmToken(new Uint8Array(32), shop.businessId, id),
      '',
      'x',
    ]) {
      expect(await confirm(invalidToken)).toMatchObject({
        status: 422,
        body: { details: [{ field: 'token', error: 'INVALID_TOKEN' }] },
      });
      expect((await call(confirmPath(), form(invalidToken))).status).toBe(422);
      expect((await call(`${confirmPath()}?token=${invalidToken}`)).status).toBe(422);
    }
    expect((await call(confirmPath(other), form(tokenOf(id)))).status).toBe(422);
    const rejected = await t.rest('POST', `/v1/businesses/${shop.businessId}/collections/unsubscribe`, {
      body: { token: tokenOf(id) },
    });
    expect(rejected.status).toBe(422);
    expect(await statusOf(id)).toBe('PENDING_CONFIRMATION');
  });

  it('skips the confirmation for the owner of the address, staff and their API keys', async () => {
    const list = await doubleOptInNewsletter();
    const email = uniqueEmail();
    const [owner, stranger] = await Promise.all([t.person({ email }), t.person()]);
    const manager = await t.addMember(shop, await t.person(), 'MANAGER');
    const rows = [
      [stranger, email, 'PENDING_CONFIRMATION'],
      [other.admin, uniqueEmail(), 'PENDING_CONFIRMATION'],
      [await t.withApiKey(stranger), uniqueEmail(), 'PENDING_CONFIRMATION'],
      [owner, email.toUpperCase(), 'ACTIVE'],
      [manager, uniqueEmail(), 'ACTIVE'],
      [await t.withApiKey(shop.admin), uniqueEmail(), 'ACTIVE'],
    ] as const;
    for (const [as, address, status] of rows)
      expect((await subscribe({ email: address, planId: 'free' }, { list, as })).body.status).toBe(status);
  });

  it('does not reactivate an unsubscribed address, not even by an old link', async () => {
    const email = uniqueEmail();
    const { id } = await subscribeAs(email);
    const token = createUnsubscribeToken(t.app.services.keys.secret, shop.businessId, id);
    const unsubscribe = () =>
      t.rest('POST', `/v1/businesses/${shop.businessId}/collections/unsubscribe`, { body: { token } });
    expect((await unsubscribe()).status).toBe(200);
    expect((await confirm(tokenOf(id))).body.status).toBe('UNSUBSCRIBED');
    expect((await subscribeAs(email)).status).toBe('PENDING_CONFIRMATION');
    expect((await confirm(tokenOf(id))).body.status).toBe('UNSUBSCRIBED');
    const resubscribed = await t.rest('POST', `/v1/businesses/${shop.businessId}/subscriptions/resubscribe`, {
      body: { token: await latestMailToken(t, email) },
    });
    expect(resubscribed.body).toMatchObject({ id, status: 'ACTIVE' });
  });

  it('requires the payment of a paid plan, and a confirmation before a paid plan is reactivated', async () => {
    const email = uniqueEmail();
    expect((await subscribeAs(email, 'pro')).checkoutUrl).toBeDefined();
    const { id } = await t.db.prisma.subscription.findFirstOrThrow({ where: { key: email } });
    expect([await statusOf(id), (await confirm(tokenOf(id))).body.status]).toEqual(['PENDING', 'PENDING']);
    const paid = (end: number) =>
      t.db.prisma.subscription.update({
        where: { id },
        data: {
          status: 'UNSUBSCRIBED',
          paymentId: 'pay_1',
          renewalState: 'ENDED',
          currentPeriodStart: 1,
          currentPeriodEnd: end,
        },
      });
    await paid(4_000_000_000);
    expect((await subscribeAs(email, 'pro')).checkoutUrl).toBeDefined();
    expect(await statusOf(id)).toBe('UNSUBSCRIBED');
    const resubscribe = async () =>
      t.rest('POST', `/v1/businesses/${shop.businessId}/subscriptions/resubscribe`, {
        body: { token: await latestMailToken(t, email) },
      });
    expect((await resubscribe()).body).toMatchObject({
      status: 'ACTIVE',
      renewalState: 'ACTIVE',
      cancelAtPeriodEnd: true,
    });
    await paid(2);
    expect((await resubscribe()).status).toBe(422);
    expect(await statusOf(id)).toBe('UNSUBSCRIBED');
  });

  it('limits the confirmation mails per address, for all callers together', async () => {
    const [email, list] = [uniqueEmail(), await doubleOptInNewsletter()];
    for (let time = 0; time < 5; time += 1)
      expect((await subscribe({ email, planId: 'free' }, { list, as: await t.guest() })).status).toBe(200);
    expect((await subscribe({ email, planId: 'free' }, { list, as: await t.guest() })).status).toBe(429);
    expect(await t.outbox(email)).toHaveLength(5);
    expect((await subscribe({ email, planId: 'free' }, { list, as: shop.admin })).body.status).toBe('ACTIVE');
  });

  it('deletes unconfirmed subscriptions after a month, except those with a payment attempt', async () => {
    const [young, old, billed] = [await subscribeAs(), await subscribeAs(), uniqueEmail()];
    await subscribeAs(billed, 'pro');
    await subscribeAs(billed);
    const id = await idOf(billed);
    const ids = [old.id, id];
    await t.db.write('update subscriptions set updated_at = $1 where id = any($2::uuid[])', [
      now() - 30 * 86_400 - 1,
      ids,
    ]);
    await retentionJob.run(t.app.services, {});
    expect((await confirm(tokenOf(old.id))).status).toBe(422);
    expect([await statusOf(young.id), await statusOf(id)]).toEqual([
      'PENDING_CONFIRMATION',
      'PENDING_CONFIRMATION',
    ]);
  });
});
