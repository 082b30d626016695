/** Management of renewing subscriptions: cancel, resume, change the plan, unsubscribe; and who may do so. */
import { describe, expect, it, vi } from 'vitest';
import { processProviderCancellations } from '../../src/domains/newsletter/billing/queue-and-run-provider-cancellations.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import type { Person } from '../support/app.ts';
import {
  advanceClock,
  base,
  caller,
  createSubscriber,
  day,
  isEndedAtProvider,
  loadLedger,
  other,
  owner,
  pay,
  runAllJobs,
  sandbox,
  sessionOf,
  shop,
  t,
} from './renewal-setup.ts';

describe('cancel and resume', () => {
  it('cancels and resumes over REST and GraphQL', async () => {
    const subscriber = await createSubscriber();
    const mutate = async (name: string) =>
      (
        (
          await t.graphql(
            `mutation ($b: ID!, $id: ID!, $token: String) { ${name}(businessId: $b, id: $id, token: $token) {
              subscription { cancelAtPeriodEnd renewalState } } }`,
            { b: shop.businessId, id: subscriber.id, token: subscriber.token },
          )
        ).data as unknown as Record<string, { subscription: object }>
      )[name]?.subscription;
    expect(await mutate('cancelSubscription')).toEqual({ cancelAtPeriodEnd: true, renewalState: 'ACTIVE' });
    expect((await subscriber.post('resume')).body).toMatchObject({
      id: subscriber.id,
      cancelAtPeriodEnd: false,
    });
    expect((await subscriber.post('cancel')).body).toMatchObject({ cancelAtPeriodEnd: true });
    expect(await mutate('resumeSubscription')).toEqual({ cancelAtPeriodEnd: false, renewalState: 'ACTIVE' });
    await runAllJobs();
    expect(await sandbox.findRecurring(subscriber.page)).toMatchObject({ cancelAtPeriodEnd: false });
    await advanceClock(32 * day);
    expect(await subscriber.read()).toMatchObject({ status: 'ACTIVE', renewalState: 'ACTIVE' });
  });

  it('allows the token holder, the account of the email and staff with ORDERS_WRITE; others get 404', async () => {
    const email = `${newId()}@people.example`;
    const subscriber = await createSubscriber('monthly', email);
    const subscriberAccount = await t.person({ email: email.toUpperCase() });
    const editor = await t.addMember(shop, await t.person(), 'EDITOR');
    const otherSubscriber = await createSubscriber();
    const cases: [Person | undefined, object, number][] = [
      [undefined, {}, 401],
      [undefined, { token: subscriber.token }, 200],
      [undefined, { token: otherSubscriber.token }, 422],
      [undefined, { token: 'x' }, 422],
      [await t.guest(), {}, 404],
      [caller, {}, 404],
      [editor, {}, 404],
      [await t.person(), {}, 404],
      [other.admin, {}, 404],
      [subscriberAccount, {}, 200],
      [shop.admin, {}, 200],
    ];
    for (const [as, body, status] of cases) {
      expect((await subscriber.post('resume', body, as)).status).toBe(status);
      expect((await subscriber.post('plan', { ...body, planId: 'monthly' }, as)).status).toBe(status);
    }
    const otherBusinessPath = `/v1/businesses/${other.businessId}/subscriptions/${subscriber.id}/cancel`;
    expect((await t.rest('POST', otherBusinessPath, { as: other.admin, body: {} })).status).toBe(404);
    expect(
      (await t.rest('POST', `${base}/subscriptions/x/cancel`, { as: shop.admin, body: {} })).status,
    ).toBe(404);
  });

  it.each(['free', 'once'])('rejects the cancellation of a plan that does not renew: %s', async (planId) => {
    const subscriber = await createSubscriber(planId);
    expect(await subscriber.post('cancel')).toMatchObject({
      status: 422,
      body: { details: [{ field: 'id', error: 'NOT_RENEWING' }] },
    });
    expect(await subscriber.read()).toMatchObject({
      status: 'ACTIVE',
      renewalState: null,
      cancelAtPeriodEnd: null,
    });
    await advanceClock(400 * day);
    expect(await subscriber.read()).toMatchObject({ status: 'ACTIVE' });
  });

  it('cancels at the provider on unsubscribe, and reactivates for the paid period', async () => {
    const subscriber = await createSubscriber('weekly');
    const endSpy = vi
      .spyOn(t.app.services.payments, 'cancelRecurring')
      .mockRejectedValueOnce(new Error('down'));
    await t.rest('POST', `${base}/collections/unsubscribe`, { body: { token: subscriber.token } });
    await runAllJobs();
    expect([await isEndedAtProvider(subscriber.page), (await subscriber.read())?.status]).toEqual([
      false,
      'UNSUBSCRIBED',
    ]);
    await advanceClock(3_600_000);
    endSpy.mockRestore();
    expect(await isEndedAtProvider(subscriber.page)).toBe(true);
    expect(await subscriber.resubscribe()).toMatchObject({ status: 'ACTIVE', cancelAtPeriodEnd: true });
    expect((await subscriber.post('resume')).status).toBe(422);
    await advanceClock(8 * day);
    expect(await subscriber.read()).toMatchObject({ status: 'CANCELLED' });
    expect((await subscriber.subscribe()).checkoutUrl).toBeDefined();
    expect(await loadLedger(subscriber.id)).toEqual({ recorded: 100, atProvider: 100 });
  });
});

describe('changePlan', () => {
  it('applies after the payment and cancels the old plan at the provider', async () => {
    const subscriber = await createSubscriber();
    const chosen = await subscriber.post('plan', { token: subscriber.token, planId: 'yearly' });
    expect(Object.keys(chosen.body)).toEqual(['checkoutUrl']);
    expect(await subscriber.read()).toMatchObject({ status: 'ACTIVE', planId: 'monthly' });
    await pay(sessionOf(chosen.body));
    await processProviderCancellations(t.app.services);
    expect(await subscriber.read()).toMatchObject({
      status: 'ACTIVE',
      planId: 'yearly',
      renewalState: 'ACTIVE',
      currentPeriodStart: now(),
    });
    expect(await isEndedAtProvider(subscriber.page)).toBe(true);
    // The provider charges the old plan again before it processes the cancellation.
    await t.db.write(`update sandbox_subscriptions set state = 'ACTIVE' where session_id = $1`, [
      subscriber.page,
    ]);
    await subscriber.applyAction('renew');
    await processProviderCancellations(t.app.services);
    expect(await loadLedger(subscriber.id)).toEqual({ recorded: 5500, atProvider: 5500 });
    expect([await isEndedAtProvider(subscriber.page), await subscriber.read()]).toMatchObject([
      true,
      { planId: 'yearly' },
    ]);
  });

  it('refunds the payment of a plan that was changed in the meantime', async () => {
    const subscriber = await createSubscriber();
    const yearly = sessionOf(
      (await subscriber.post('plan', { token: subscriber.token, planId: 'yearly' })).body,
    );
    await sandbox.applyAction(yearly, 'pay');
    const unchanged = await subscriber.post('plan', { token: subscriber.token, planId: 'monthly' });
    expect(unchanged.body).toMatchObject({ id: subscriber.id, planId: 'monthly' });
    await runAllJobs();
    expect(await subscriber.read()).toMatchObject({ planId: 'monthly', renewalState: 'ACTIVE' });
    expect([await isEndedAtProvider(yearly), await isEndedAtProvider(subscriber.page)]).toEqual([
      true,
      false,
    ]);
    expect(await loadLedger(subscriber.id)).toEqual({ recorded: 500, atProvider: 500 });
  });

  it('applies immediately to a free plan', async () => {
    const subscriber = await createSubscriber();
    const { body } = await subscriber.post('plan', { token: subscriber.token, planId: 'free' });
    expect(body).toMatchObject({ status: 'ACTIVE', planId: 'free' });
    expect(body).not.toHaveProperty('renewalState');
    await runAllJobs();
    expect(await isEndedAtProvider(subscriber.page)).toBe(true);
    expect((await subscriber.post('plan', { token: subscriber.token, planId: 'gold' })).status).toBe(422);
    expect(
      (
        await subscriber.post('plan', {
          token: subscriber.token,
          planId: 'yearly',
          returnUrl: 'https://evil.example',
        })
      ).status,
    ).toBe(422);
  });
});

describe('deletion', () => {
  it('of the newsletter cancels at the provider and refunds a late charge', async () => {
    const subscriber = await createSubscriber('weekly');
    await sandbox.applyRecurringAction(subscriber.page, 'renew');
    await t.rest('DELETE', `${base}/collections/${subscriber.newsletterId}?force=true`, { as: shop.admin });
    await runAllJobs();
    await processProviderCancellations(t.app.services);
    expect(await isEndedAtProvider(subscriber.page)).toBe(true);
    await runAllJobs();
    expect(await loadLedger(subscriber.id)).toEqual({ recorded: 100, atProvider: 100 });
  });

  it('of the account ends the subscription', async () => {
    const subscriber = await createSubscriber('weekly', owner.email);
    const deletion = await t.graphql(
      'mutation ($password: String) { deleteMe(password: $password) { id: deletedId } }',
      { password: owner.password },
      { as: owner },
    );
    expect(deletion.errors).toEqual([]);
    await runAllJobs();
    expect([await isEndedAtProvider(subscriber.page), await subscriber.read()]).toMatchObject([
      true,
      { status: 'UNSUBSCRIBED' },
    ]);
  });
});
