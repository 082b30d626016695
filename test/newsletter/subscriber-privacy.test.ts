/** subscribe answers a caller who has not proved the email address the same for every address, and does not undo leaving. */
import { expect, it } from 'vitest';
import { createUnsubscribeToken } from '../../src/domains/newsletter/mail/mail-tokens.ts';
import {
  base,
  createNewsletter,
  idOf,
  newsletterId,
  shop,
  statusOf,
  subscribe,
  t,
  uniqueEmail,
} from './setup.ts';

const leave = (id: string) =>
  t.rest('POST', `${base}/unsubscribe`, {
    body: { token: createUnsubscribeToken(t.app.services.keys.secret, shop.businessId, id) },
  });
const subscribeViaGraphql = async (email: string) =>
  (
    await t.graphql(
      `mutation($b: ID!, $c: ID!, $e: String!) { subscribe(businessId: $b, collectionId: $c, input: { email: $e, planId: "free" }) {
        checkoutUrl subscription { email name planId status renewalState currentPeriodEnd } } }`,
      { b: shop.businessId, c: newsletterId, e: email },
      { as: await t.guest() },
    )
  ).data;

it.each([false, true])(
  'shows a guest nothing of an existing subscription (double opt-in: %s)',
  async (doubleOptIn) => {
    const list = await createNewsletter(shop, { doubleOptIn });
    const [active, left] = [uniqueEmail(), uniqueEmail()];
    for (const email of [active, left])
      await subscribe({ email, planId: 'zero', name: 'Ada' }, { list, as: shop.admin });
    await leave(await idOf(left));
    await t.db.write('update subscriptions set created_at = 5, updated_at = 5 where collection_id = $1', [
      list,
    ]);
    for (const planId of ['free', 'pro']) {
      const shapes = [];
      for (const email of [active, left, uniqueEmail()]) {
        const { status, body } = await subscribe({ email, planId }, { list, as: await t.guest() });
        expect(body.id).not.toBe(email === active || email === left ? await idOf(email) : '');
        shapes.push({
          ...body,
          httpStatus: status,
          id: '',
          email: '',
          checkoutUrl: body.checkoutUrl && 'page',
          createdAt: Number((body as { createdAt?: number }).createdAt) > 5,
          updatedAt: Number((body as { updatedAt?: number }).updatedAt) > 5,
        });
      }
      expect(shapes[0]).toEqual(shapes[2]);
      expect(shapes[1]).toEqual(shapes[2]);
    }
    expect([await statusOf(await idOf(active)), await statusOf(await idOf(left))]).toEqual([
      'ACTIVE',
      'UNSUBSCRIBED',
    ]);
  },
);

it('returns the existing subscription to the guest who created it, without its state', async () => {
  const [email, guest] = [uniqueEmail(), await t.guest()];
  const first = await subscribe({ email, planId: 'free' }, { as: guest });
  await t.db.write('update subscriptions set created_at = 5 where id = $1', [first.body.id]);
  await leave(first.body.id);
  const { status, body } = await subscribe({ email, planId: 'free' }, { as: guest });
  expect([status, body]).toMatchObject([200, { id: first.body.id, createdAt: 5, status: 'ACTIVE' }]);
  expect(await statusOf(first.body.id)).toBe('UNSUBSCRIBED');
  expect((await subscribe({ email, planId: 'free' }, { as: await t.guest() })).body.id).not.toBe(
    first.body.id,
  );
});

it('answers the same over GraphQL', async () => {
  const [known, unknown] = [uniqueEmail(), uniqueEmail()];
  await subscribe({ email: known, planId: 'zero', name: 'Ada' }, { as: shop.admin });
  const replace = (data: unknown) => JSON.stringify(data).replaceAll(known, 'x').replaceAll(unknown, 'x');
  expect(replace(await subscribeViaGraphql(known))).toBe(replace(await subscribeViaGraphql(unknown)));
});

it('leaves a person who left alone until the owner of the address returns', async () => {
  const email = uniqueEmail();
  const { body } = await subscribe({ email, planId: 'free' });
  await leave(body.id);
  for (const as of [await t.guest(), shop.admin, await t.withApiKey(shop.admin)])
    for (const planId of ['free', 'pro', 'zero']) {
      await subscribe({ email, planId }, { as });
      expect(await statusOf(body.id)).toBe('UNSUBSCRIBED');
    }
  const owner = await t.person({ email });
  expect((await subscribe({ email, planId: 'free' }, { as: owner })).body).toMatchObject({
    id: body.id,
    status: 'ACTIVE',
  });
});

it('sends a person who left a link that subscribes again, to the plan that was requested', async () => {
  const email = uniqueEmail();
  const { body } = await subscribe({ email, planId: 'zero' });
  await leave(body.id);
  for (let time = 0; time < 7; time += 1)
    expect((await subscribe({ email, planId: 'free' })).status).toBe(200);
  const mails = await t.outbox(email);
  expect(mails).toHaveLength(5);
  const token = /subscriptions\/resubscribe\?token=([\w-]+)/.exec(mails[0]?.text ?? '')?.[1];
  const path = `/v1/businesses/${shop.businessId}/subscriptions/resubscribe`;
  expect(await t.rest('POST', path, { body: { token } })).toMatchObject({
    status: 200,
    body: { id: body.id, status: 'ACTIVE', planId: 'free' },
  });
});
