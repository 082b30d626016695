/** subscribe over REST and GraphQL: free plans, paid plans and their payment events. */
import { describe, expect, it } from 'vitest';
import { createUnsubscribeToken } from '../../src/domains/newsletter/mail/mail-tokens.ts';
import { receivePaymentEvent } from '../../src/domains/payments/receive-payment-event.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import type { PaymentEvent } from '../../src/ports/payments.ts';
import {
  base,
  createNewsletter,
  editor,
  expired,
  guest,
  idOf,
  newsletterId,
  other,
  sessions,
  shop,
  state,
  statusOf,
  subscribe,
  t,
  uniqueEmail,
} from './setup.ts';

describe('free plans', () => {
  it('activate immediately; the email is case-insensitive and has one subscription', async () => {
    const email = uniqueEmail();
    const first = await subscribe({ email, planId: 'free', market: 'US', name: 'Ada' });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      entity: `collection:${newsletterId}`,
      email,
      planId: 'free',
      status: 'ACTIVE',
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    const again = await subscribe({ email: ` ${email.toUpperCase()} `, plan_id: 'zero' }, { as: shop.admin });
    expect(again.body).toEqual(first.body);
    const viaGraphql = await t.graphql(
      `mutation($b: ID!, $c: ID!, $e: String!) { subscribe(businessId: $b, collectionId: $c, input: { email: $e, planId: "free" }) {
        checkoutUrl subscription { id name status } } }`,
      { b: shop.businessId, c: newsletterId, e: email },
      { as: shop.admin },
    );
    expect(viaGraphql.data).toEqual({
      subscribe: { checkoutUrl: null, subscription: { id: first.body.id, name: 'Ada', status: 'ACTIVE' } },
    });
  });

  it('create one subscription for fifty concurrent requests', async () => {
    const email = uniqueEmail();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_item, index) =>
        subscribe({ email: index % 2 ? email : email.toUpperCase(), planId: 'free' }),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await t.db.prisma.subscription.count({ where: { key: email } })).toBe(1);
  });

  it('need no planId for a newsletter without plans', async () => {
    const list = await createNewsletter(shop, { plans: [] });
    const { body } = await subscribe({ email: uniqueEmail() }, { list });
    expect(body).toMatchObject({ status: 'ACTIVE' });
    expect(body).not.toHaveProperty('planId');
    expect((await subscribe({ email: uniqueEmail(), planId: 'free' }, { list })).status).toBe(422);
  });

  it.each([
    [{ planId: 'free' }, 'email REQUIRED'],
    [{ email: 'nobody', planId: 'free' }, 'email INVALID_FORMAT'],
    [{ email: 'a@x.example\r\nBcc: b@x.example', planId: 'free' }, 'email INVALID_FORMAT'],
    [{ email: 'a@x.example', planId: 'gold' }, 'planId PLAN_NOT_FOUND'],
    [{ email: 'a@x.example' }, 'planId REQUIRED'],
    [{ email: 7, planId: 'free' }, 'email INVALID_TYPE'],
  ])('reject %j', async (body, error) => {
    const response = await t.rest<{ details: { field: string; error: string }[] }>(
      'POST',
      `${base}/${newsletterId}/subscribe`,
      { as: guest, body },
    );
    expect(response.status).toBe(422);
    expect(response.body.details.map((detail) => `${detail.field} ${detail.error}`)).toEqual([error]);
  });

  it('require a newsletter that is visible to the caller', async () => {
    const { body: blog } = await t.rest<{ id: string }>('POST', base, { as: editor, body: { name: 'Blog' } });
    expect(await subscribe({ email: uniqueEmail() }, { list: blog.id })).toMatchObject({
      status: 422,
      body: { details: [{ field: 'collectionId', error: 'NOT_A_NEWSLETTER' }] },
    });
    const hidden = await createNewsletter(shop, { status: 'DRAFT' });
    expect((await subscribe({ email: uniqueEmail(), planId: 'free' }, { list: hidden })).status).toBe(404);
    const otherShopNewsletter = await createNewsletter(other);
    expect(
      (await subscribe({ email: uniqueEmail(), planId: 'free' }, { list: otherShopNewsletter })).status,
    ).toBe(404);
    const anonymous = await t.rest('POST', `${base}/${newsletterId}/subscribe`, {
      body: { email: 'a@x.example' },
    });
    expect(anonymous.status).toBe(401);
  });

  it('return the same response for the same idempotency key and reject another request with it', async () => {
    const headers = { 'idempotency-key': 'subscribe-1' };
    const call = (email: string) =>
      t.rest('POST', `${base}/${newsletterId}/subscribe`, {
        as: guest,
        headers,
        body: { email, planId: 'free' },
      });
    const email = uniqueEmail();
    expect((await call(email)).body).toEqual((await call(email)).body);
    expect((await call(uniqueEmail())).status).toBe(409);
  });
});

describe('paid plans', () => {
  const event = (
    reference: string,
    type: PaymentEvent['type'],
    paymentId = `pay-${reference}`,
    amount = 900,
  ): PaymentEvent => ({
    id: newId(),
    type,
    reference,
    sessionId: undefined,
    paymentId,
    amount,
    currency: 'USD',
  });
  const receiveEvent = (...args: Parameters<typeof event>) =>
    receivePaymentEvent(t.app.services, event(...args));

  it('return the payment URL and become active when paid', async () => {
    const email = uniqueEmail();
    const response = await subscribe({ email, planId: 'pro', returnUrl: 'http://shop.test/thanks' });
    const id = await idOf(email);
    const reference = `subscription:${id}`;
    expect([response.status, response.body]).toEqual([
      200,
      { checkoutUrl: `https://pay.example/${reference}` },
    ]);
    expect(sessions.get(reference)).toEqual({
      reference,
      currency: 'USD',
      amount: 900,
      lines: [{ name: 'Letter: Pro', quantity: 1, amount: 900 }],
      expiresAt: expect.any(Number),
      returnUrl: `http://shop.test/thanks?subscriptionId=${id}`,
      cancelUrl: expect.stringContaining('/checkout/cancelled'),
      merchant: 'Shop',
      customerEmail: email,
      interval: 'MONTHLY',
    });
    expect(await statusOf(id)).toBe('PENDING');
    expect((await subscribe({ email, planId: 'pro' })).body).toEqual(response.body);
    await receiveEvent(reference, 'failed');
    expect(await statusOf(id)).toBe('PENDING');
    await receiveEvent(reference, 'paid');
    expect((await subscribe({ email, planId: 'pro' }, { as: shop.admin })).body).toMatchObject({
      id,
      status: 'ACTIVE',
      planId: 'pro',
    });
  });

  it('open one payment page for twenty concurrent requests', async () => {
    const email = uniqueEmail();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => subscribe({ email, planId: 'pro' })),
    );
    expect(new Set(responses.map(({ body }) => body.checkoutUrl)).size).toBe(1);
    const id = await idOf(email);
    expect([...sessions.keys()].filter((reference) => reference.includes(id))).toHaveLength(1);
  });

  it('open a new payment page when the old one has expired or another plan is chosen', async () => {
    const email = uniqueEmail();
    await subscribe({ email, planId: 'pro' });
    const id = await idOf(email);
    await receiveEvent(`subscription:${id}`, 'expired');
    const second = await subscribe({ email, planId: 'pro' });
    expect(second.body).toEqual({ checkoutUrl: `https://pay.example/subscription:${id}:2` });
    await t.db.prisma.paymentAttempt.updateMany({
      where: { subjectId: id },
      data: { expiresAt: now() - 1 },
    });
    expect((await subscribe({ email, planId: 'pro' })).body.checkoutUrl).toMatch(/:3$/);
    expect((await subscribe({ email, planId: 'max' })).body.checkoutUrl).toMatch(/:4$/);
    await t.app.drainJobs();
    expect(expired.filter((reference) => reference.includes(id)).at(-1)).toBe(`subscription:${id}:3`);
    await receiveEvent(`subscription:${id}:4`, 'paid', 'pay-max', 1900);
    expect(await t.db.prisma.subscription.findUniqueOrThrow({ where: { id } })).toMatchObject({
      status: 'ACTIVE',
      planId: 'max',
    });
  });

  it('end on a cancellation event and reactivate only by a new payment', async () => {
    const email = uniqueEmail();
    await subscribe({ email, planId: 'pro' });
    const id = await idOf(email);
    const reference = `subscription:${id}`;
    await receiveEvent(reference, 'paid');
    await receiveEvent(reference, 'cancelled');
    expect(await statusOf(id)).toBe('CANCELLED');
    expect((await subscribe({ email, planId: 'pro' })).body.checkoutUrl).toMatch(/:2$/);
    await receiveEvent(`${reference}:2`, 'paid', 'second payment');
    expect(await statusOf(id)).toBe('ACTIVE');
    await receiveEvent(reference, 'cancelled');
    expect(await statusOf(id)).toBe('ACTIVE');
  });

  it('stay paid through an unsubscribe and ignore a duplicate payment event', async () => {
    const email = uniqueEmail();
    await subscribe({ email, planId: 'pro' });
    const id = await idOf(email);
    await receiveEvent(`subscription:${id}`, 'paid');
    const token = createUnsubscribeToken(t.app.services.keys.secret, shop.businessId, id);
    await t.rest('POST', `${base}/unsubscribe`, { body: { token } });
    await receiveEvent(`subscription:${id}`, 'paid');
    expect(await statusOf(id)).toBe('UNSUBSCRIBED');
    expect((await subscribe({ email, planId: 'pro' }, { as: await t.person({ email }) })).body).toMatchObject(
      {
        status: 'ACTIVE',
      },
    );
  });

  it('refund a second payment of an active subscription, and upgrade a free one', async () => {
    const [paid, free] = [uniqueEmail(), uniqueEmail()];
    await subscribe({ email: paid, planId: 'pro' });
    await subscribe({ email: free, planId: 'free' });
    const [paidId, freeId] = [await idOf(paid), await idOf(free)];
    await receiveEvent(`subscription:${paidId}`, 'paid');
    expect((await subscribe({ email: paid, planId: 'pro' })).body.checkoutUrl).toMatch(/:2$/);
    await receiveEvent(`subscription:${paidId}:2`, 'paid', 'pay-again');
    expect(
      await t.db.prisma.paymentAttempt.findFirst({ where: { subjectId: paidId, number: 2 } }),
    ).toMatchObject({
      state: 'RETURNED',
    });
    await subscribe({ email: free, planId: 'pro' });
    await receiveEvent(`subscription:${freeId}`, 'paid');
    expect(await t.db.prisma.subscription.findUniqueOrThrow({ where: { id: freeId } })).toMatchObject({
      status: 'ACTIVE',
      planId: 'pro',
    });
  });

  it('record the outcome of payment events without effect', async () => {
    const list = await createNewsletter();
    const [email, deletedEmail] = [uniqueEmail(), uniqueEmail()];
    await subscribe({ email, planId: 'pro' });
    await subscribe({ email: deletedEmail, planId: 'pro' }, { list });
    const [reference, deletedReference] = [
      `subscription:${await idOf(email)}`,
      `subscription:${await idOf(deletedEmail)}`,
    ];
    await t.rest('DELETE', `${base}/${list}?force=true`, { as: editor });
    await receiveEvent(reference, 'paid');
    await receiveEvent(reference, 'paid');
    await receiveEvent(deletedReference, 'paid');
    const outcomes = await t.db.prisma.paymentEvent.findMany({
      where: { reference: { in: [reference, deletedReference] } },
      orderBy: { id: 'asc' },
      select: { outcome: true },
    });
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['paid', 'repeated', 'paid too late, refunded']);
  });

  it('respond 503 while the provider is down and recover afterwards', async () => {
    const email = uniqueEmail();
    state.down = true;
    expect(await subscribe({ email, planId: 'pro' })).toMatchObject({
      status: 503,
      body: { error: 'UNAVAILABLE' },
    });
    state.down = false;
    expect((await subscribe({ email, planId: 'pro' })).status).toBe(200);
  });

  it('reject return URLs on foreign origins', async () => {
    expect(
      await subscribe({ email: uniqueEmail(), planId: 'pro', returnUrl: 'https://evil.example/' }),
    ).toMatchObject({
      status: 422,
      body: { details: [{ field: 'returnUrl', error: 'INVALID_RETURN_URL' }] },
    });
  });

  it.each(['order:x', 'subscription:x', 'subscription:', `subscription:${newId()}`])(
    'ignore events about %s',
    async (reference) => {
      await expect(receiveEvent(reference, 'paid')).resolves.toBeUndefined();
    },
  );
});
