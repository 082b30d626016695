/** Samples of newsletters. */
import {
  createSubscriptionConfirmToken,
  createUnsubscribeToken,
} from '../../../src/domains/newsletter/mail/mail-tokens.ts';
import { buildSeedId, disposableRecordIds } from '../../../src/seed/shop-data.ts';
import type { TestApp } from '../../support/app.ts';
import { createFixture, type Samples, type Step, type World } from '../fixtures.ts';

const inShop = ({ shop }: World) => ({ businessId: shop.businessId });
const record = (name: string) => (world: World) => ({
  path: { ...inShop(world), id: world.ids[name] ?? '' },
});

/** A new subscriber each time. */
const email = 'ada-{fresh}@people.example';
const subscribing = {
  operationId: 'Subscribe',
  path: { collectionId: disposableRecordIds.newsletterId },
  body: { email },
};
const text = (id: string, value: string) => ({ id, type: 'TEXT', value });
/** An entry can be sent only once, so each subscriber gets a new one. */
const receiveLetter: readonly Step[] = [
  subscribing,
  {
    operationId: 'CreateEntry',
    body: {
      collectionId: disposableRecordIds.newsletterId,
      blocks: [text('subject', 'Friday, six o’clock'), text('title', 'Three cups, one table')],
    },
    take: { letter: '/id' },
  },
  { operationId: 'SendEntry', path: { id: '{letter}' } },
  { outbox: email, take: { token: '/collections/unsubscribe' } },
];

/** Makes a subscription renew as if it had been paid on the sandbox page. */
async function makeRecurring({ db }: TestApp, id: string): Promise<void> {
  const request = JSON.stringify({
    reference: `subscription:${id}`,
    amount: 500,
    currency: 'USD',
    interval: 'MONTHLY',
  });
  await db.write(
    `insert into sandbox_payments (id, reference, request, state, expires_at, created_at) values ('sbx_1', $1, $2::jsonb, 'PAID', 0, 0)`,
    [`subscription:${id}`, request],
  );
  await db.write(
    `insert into sandbox_subscriptions (id, session_id, anchor, due_at) values ('sub_sbx_1', 'sbx_1', 0, 4000000000)`,
    [],
  );
  await db.write(
    `update subscriptions set recurring_id = 'sub_sbx_1', renewal_state = 'ACTIVE', current_period_start = 0,
     current_period_end = 4000000000, cancel_at_period_end = false where id = $1`,
    [id],
  );
}

export const domain: Samples = {
  async prepare(t, world) {
    const collections = `/v1/businesses/${world.shop.businessId}/collections`;
    await createFixture(t, world, 'subscription', `${collections}/${world.ids.newsletter}/subscribe`, {
      email: 'reader@people.example',
      planId: 'free',
    });
    await createFixture(t, world, 'renewing', `${collections}/${world.ids.newsletter}/subscribe`, {
      email: 'customer@people.example',
      planId: 'free',
    });
    await makeRecurring(t, world.ids.renewing ?? '');
    const { secret } = t.app.services.keys;
    world.ids.confirm = createSubscriptionConfirmToken(
      secret,
      world.shop.businessId,
      world.ids.subscription ?? '',
    );
    world.ids.unsubscribe = createUnsubscribeToken(
      secret,
      world.shop.businessId,
      world.ids.subscription ?? '',
    );
  },
  samples: {
    Subscribe: (world) => ({
      path: { ...inShop(world), collectionId: world.ids.newsletter ?? '' },
      body: { email: 'new-reader@people.example', market: 'US', planId: 'free' },
    }),
    ListSubscribers: (world) => ({ ...record('newsletter')(world), query: { limit: 5, sort: 'EMAIL' } }),
    CancelSubscription: record('renewing'),
    ResumeSubscription: record('renewing'),
    ChangePlan: (world) => ({ ...record('renewing')(world), body: { planId: 'free' } }),
    ConfirmSubscription: (world) => ({ path: inShop(world), body: { token: world.ids.confirm } }),
    Unsubscribe: (world) => {
      const token = world.ids.unsubscribe;
      return { path: inShop(world), query: { token }, body: { token } };
    },
    Resubscribe: (world) => ({ path: inShop(world), body: { token: world.ids.unsubscribe } }),
    SendEntry: record('letter'),
    TemplateVariables: () => ({ path: { entryType: 'NEWSLETTER' } }),
  },
  demo: {
    ids: { renewing: buildSeedId(9, 1) },
    samples: {
      CancelSubscription: (world) => ({ path: { ...inShop(world), id: disposableRecordIds.supporterId } }),
      ResumeSubscription: (world) => ({ path: { ...inShop(world), id: disposableRecordIds.patronId } }),
      ChangePlan: (world) => ({ ...record('renewing')(world), body: { planId: 'reader' } }),
      Subscribe: (world) => ({
        as: 'guest',
        path: { ...inShop(world), collectionId: world.ids.newsletter ?? '' },
        body: { email: 'ada@people.example', market: 'US', planId: 'reader' },
      }),
      ConfirmSubscription: (world) => ({
        path: inShop(world),
        body: { token: '{token}' },
        // Subscriptions created by staff need no confirmation.
        first: [
          { operationId: 'Login', body: { provider: 'GUEST' }, take: { guestToken: '/accessToken' } },
          { ...subscribing, bearer: '{guestToken}' },
          { outbox: email, take: { token: '/subscriptions/confirm' } },
        ],
      }),
      Resubscribe: (world) => ({
        path: inShop(world),
        body: { token: '{token}' },
        first: [...receiveLetter, { operationId: 'Unsubscribe' }],
      }),
      Unsubscribe: (world) => ({
        path: inShop(world),
        query: { token: '{token}' },
        body: { token: '{token}' },
        first: receiveLetter,
      }),
    },
  },
};
