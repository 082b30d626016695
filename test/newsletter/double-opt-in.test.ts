/** Double opt-in: nobody gets mails because somebody else typed their address in. */
import { describe, expect, it } from 'vitest';
import { createConfirmToken, createUnsubscribeToken } from '../../src/domains/newsletter/mail/mail-tokens.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { retentionJob } from '../../src/maintenance/background-jobs.ts';
import { mailedToken } from '../support/accounts.ts';
import {
  createNewsletter,
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
const at = (of = shop) => `/v1/businesses/${of.businessId}/subscriptions/confirm`;
const tokenOf = (id: string) => createConfirmToken(t.app.services.keys.secret, shop.businessId, id);
const confirm = (token: string) => t.rest<Subscription>('POST', at(), { body: { token } });
const asked = newsletterOnce();
function newsletterOnce() {
  let made: Promise<string> | undefined;
  return () => {
    made ??= createNewsletter(shop, { name: 'Asked', doubleOptIn: true });
    return made;
  };
}
const joins = async (email = uniqueEmail(), planId = 'free') =>
  (await subscribe({ email, planId, name: 'Buy pills' }, { list: await asked() })).body;

describe('double opt-in', () => {
  it('is said by newsletters only, and is off unless it is said', async () => {
    const path = `/v1/businesses/${shop.businessId}/collections`;
    const as = shop.admin;
    const refused = await t.rest('POST', path, { as, body: { name: 'Pages', doubleOptIn: true } });
    expect(refused).toMatchObject({
      status: 422,
      body: { details: [{ field: 'doubleOptIn', error: 'NOT_A_NEWSLETTER' }] },
    });
    const plain = await createNewsletter();
    expect((await t.rest('GET', `${path}/${plain}`, { as })).body).toMatchObject({ doubleOptIn: false });
    expect((await t.rest('GET', `${path}/${await asked()}`, { as })).body).toMatchObject({
      doubleOptIn: true,
    });
    const { body } = await t.rest<{ id: string }>('POST', path, { as, body: { name: 'Standard' } });
    expect((await t.rest('GET', `${path}/${body.id}`, { as })).body).not.toHaveProperty('doubleOptIn');
  });

  it('waits for the button behind the link of the mail, in both voices, and works again', async () => {
    const email = uniqueEmail();
    const { id, status } = await joins(email);
    expect(status).toBe('PENDING_CONFIRMATION');
    expect(await mailedToken(t, email)).toBe(tokenOf(id));
    const [mail] = await t.outbox(email);
    expect(mail?.subject).toBe('Confirm your subscription to Asked');
    expect(mail?.html).not.toContain('Buy pills');
    const link = `${at()}?token=${tokenOf(id)}`;
    for (const accept of ['text/html', '*/*', 'application/json, text/html']) {
      const page = await call(link, { headers: { accept } });
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const text = await page.text();
      for (const part of ['Asked', email, tokenOf(id)]) expect(text).toContain(part);
    }
    expect((await call(link, { method: 'HEAD' })).status).toBe(200);
    expect((await call(link, { headers: { accept: 'application/json' } })).status).toBe(405);
    for (const part of ['confirm', 'resubscribe']) {
      const nowhere = `/v1/businesses/${newId()}/subscriptions/${part}?token=x`;
      expect((await call(nowhere, { headers: { accept: '*/*' } })).status).toBe(404);
      expect((await call(nowhere, { method: 'HEAD' })).status).toBe(404);
    }
    expect(await statusOf(id)).toBe('PENDING_CONFIRMATION');
    for (let time = 0; time < 2; time += 1) {
      const done = await call(at(), form(tokenOf(id)));
      expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('You are subscribed')]);
      expect(await confirm(tokenOf(id))).toMatchObject({ status: 200, body: { id, status: 'ACTIVE' } });
    }
    const second = await joins();
    const voiced = await t.graphql(
      'mutation($b: ID!, $t: String!) { confirmSubscription(businessId: $b, token: $t) { subscription { id status } } }',
      { b: shop.businessId, t: tokenOf(second.id) },
    );
    expect(voiced.data).toEqual({
      confirmSubscription: { subscription: { id: second.id, status: 'ACTIVE' } },
    });
  });

  it('takes tokens made for it alone, of this business', async () => {
    const { id } = await joins();
    const { secret } = t.app.services.keys;
    for (const bad of [
      createUnsubscribeToken(secret, shop.businessId, id),
      createConfirmToken(secret, other.businessId, id),
      createConfirmToken(new Uint8Array(32), shop.businessId, id),
      '',
      'x',
    ]) {
      expect(await confirm(bad)).toMatchObject({
        status: 422,
        body: { details: [{ field: 'token', error: 'INVALID_TOKEN' }] },
      });
      expect((await call(at(), form(bad))).status).toBe(422);
      expect((await call(`${at()}?token=${bad}`)).status).toBe(422);
    }
    expect((await call(at(other), form(tokenOf(id)))).status).toBe(422);
    const leaving = await t.rest('POST', `/v1/businesses/${shop.businessId}/collections/unsubscribe`, {
      body: { token: tokenOf(id) },
    });
    expect(leaving.status).toBe(422);
    expect(await statusOf(id)).toBe('PENDING_CONFIRMATION');
  });

  it('lets the owner of the address in at once, and those who vouch for it', async () => {
    const list = await asked();
    const email = uniqueEmail();
    const [owner, stranger] = await Promise.all([t.person({ email }), t.person()]);
    const manager = await t.hire(shop, await t.person(), 'MANAGER');
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

  it('brings nobody back who has left, not by an old link either', async () => {
    const email = uniqueEmail();
    const { id } = await joins(email);
    const token = createUnsubscribeToken(t.app.services.keys.secret, shop.businessId, id);
    const leave = () =>
      t.rest('POST', `/v1/businesses/${shop.businessId}/collections/unsubscribe`, { body: { token } });
    expect((await leave()).status).toBe(200);
    expect((await confirm(tokenOf(id))).body.status).toBe('UNSUBSCRIBED');
    expect((await joins(email)).status).toBe('PENDING_CONFIRMATION');
    expect((await confirm(tokenOf(id))).body.status).toBe('ACTIVE');
    await leave();
    expect(await joins(email)).toMatchObject({ id, status: 'PENDING_CONFIRMATION' });
  });

  it('asks for the payment of a paid plan, and confirms before what was paid comes back', async () => {
    const email = uniqueEmail();
    expect((await joins(email, 'pro')).checkoutUrl).toBeDefined();
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
    expect(await joins(email, 'pro')).toMatchObject({ id, status: 'PENDING_CONFIRMATION' });
    await paid(4_000_000_000);
    await joins(email, 'pro');
    expect((await confirm(tokenOf(id))).body).toMatchObject({
      status: 'ACTIVE',
      renewalState: 'ACTIVE',
      cancelAtPeriodEnd: true,
    });
    await paid(4_000_000_000);
    await joins(email, 'pro');
    await t.db.prisma.subscription.update({ where: { id }, data: { currentPeriodEnd: 2 } });
    expect((await confirm(tokenOf(id))).body.status).toBe('UNSUBSCRIBED');
  });

  it('mails an address a few times only, whoever asks', async () => {
    const [email, list] = [uniqueEmail(), await asked()];
    for (let time = 0; time < 5; time += 1)
      expect((await subscribe({ email, planId: 'free' }, { list, as: await t.guest() })).status).toBe(200);
    expect((await subscribe({ email, planId: 'free' }, { list, as: await t.guest() })).status).toBe(429);
    expect(await t.outbox(email)).toHaveLength(5);
    expect((await subscribe({ email, planId: 'free' }, { list, as: shop.admin })).body.status).toBe('ACTIVE');
  });

  it('forgets after a month whom nobody confirmed, but for what is in the books', async () => {
    const [young, old, billed] = [await joins(), await joins(), uniqueEmail()];
    await joins(billed, 'pro');
    const { id } = await joins(billed);
    const ids = [old.id, id];
    await t.db.sql('update subscriptions set updated_at = $1 where id = any($2::uuid[])', [
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
