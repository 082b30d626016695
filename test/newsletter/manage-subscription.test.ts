/** What subscribers of plans that renew can do: cancel, resume, change the plan, leave; and who they are. */
import { describe, expect, it, vi } from 'vitest';
import { processProviderCancellations } from '../../src/domains/newsletter/billing/provider-cancellations.ts';
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

describe('its subscriber', () => {
  it('cancels and takes it back, in both voices', async () => {
    const one = await createSubscriber();
    const voice = async (name: string) =>
      (
        (
          await t.graphql(
            `mutation ($b: ID!, $id: ID!, $token: String) { ${name}(businessId: $b, id: $id, token: $token) {
              subscription { cancelAtPeriodEnd renewalState } } }`,
            { b: shop.businessId, id: one.id, token: one.token },
          )
        ).data as unknown as Record<string, { subscription: object }>
      )[name]?.subscription;
    expect(await voice('cancelSubscription')).toEqual({ cancelAtPeriodEnd: true, renewalState: 'ACTIVE' });
    expect((await one.act('resume')).body).toMatchObject({ id: one.id, cancelAtPeriodEnd: false });
    expect((await one.act('cancel')).body).toMatchObject({ cancelAtPeriodEnd: true });
    expect(await voice('resumeSubscription')).toEqual({ cancelAtPeriodEnd: false, renewalState: 'ACTIVE' });
    await runAllJobs();
    expect(await sandbox.findRecurring(one.page)).toMatchObject({ cancelAtPeriodEnd: false });
    await advanceClock(32 * day);
    expect(await one.shown()).toMatchObject({ status: 'ACTIVE', renewalState: 'ACTIVE' });
  });

  it('is whoever has the token, the account of the email, or staff with money to handle; for others there is none', async () => {
    const email = `${newId()}@people.example`;
    const one = await createSubscriber('monthly', email);
    const themself = await t.person({ email: email.toUpperCase() });
    const editor = await t.hire(shop, await t.person(), 'EDITOR');
    const theirs = await createSubscriber();
    const cases: [Person | undefined, object, number][] = [
      [undefined, {}, 401],
      [undefined, { token: one.token }, 200],
      [undefined, { token: theirs.token }, 422],
      [undefined, { token: 'x' }, 422],
      [await t.guest(), {}, 404],
      [caller, {}, 404],
      [editor, {}, 404],
      [await t.person(), {}, 404],
      [other.admin, {}, 404],
      [themself, {}, 200],
      [shop.admin, {}, 200],
    ];
    for (const [as, body, status] of cases) {
      expect((await one.act('resume', body, as)).status).toBe(status);
      expect((await one.act('plan', { ...body, planId: 'monthly' }, as)).status).toBe(status);
    }
    const elsewhere = `/v1/businesses/${other.businessId}/subscriptions/${one.id}/cancel`;
    expect((await t.rest('POST', elsewhere, { as: other.admin, body: {} })).status).toBe(404);
    expect(
      (await t.rest('POST', `${base}/subscriptions/x/cancel`, { as: shop.admin, body: {} })).status,
    ).toBe(404);
  });

  it.each(['free', 'once'])('cannot cancel what does not renew: %s', async (planId) => {
    const one = await createSubscriber(planId);
    expect(await one.act('cancel')).toMatchObject({
      status: 422,
      body: { details: [{ field: 'id', error: 'NOT_RENEWING' }] },
    });
    expect(await one.shown()).toMatchObject({
      status: 'ACTIVE',
      renewalState: null,
      cancelAtPeriodEnd: null,
    });
    await advanceClock(400 * day);
    expect(await one.shown()).toMatchObject({ status: 'ACTIVE' });
  });

  it('unsubscribes for good with the provider, and comes back for what is paid', async () => {
    const one = await createSubscriber('weekly');
    const down = vi.spyOn(t.app.services.payments, 'endRecurring').mockRejectedValueOnce(new Error('down'));
    await t.rest('POST', `${base}/collections/unsubscribe`, { body: { token: one.token } });
    await runAllJobs();
    expect([await isEndedAtProvider(one.page), (await one.shown())?.status]).toEqual([false, 'UNSUBSCRIBED']);
    await advanceClock(3_600_000);
    down.mockRestore();
    expect(await isEndedAtProvider(one.page)).toBe(true);
    expect(await one.subscribe()).toMatchObject({ status: 'ACTIVE', cancelAtPeriodEnd: true });
    expect((await one.act('resume')).status).toBe(422);
    await advanceClock(8 * day);
    expect(await one.shown()).toMatchObject({ status: 'CANCELLED' });
    expect((await one.subscribe()).checkoutUrl).toBeDefined();
    expect(await loadLedger(one.id)).toEqual({ kept: 100, held: 100 });
  });
});

describe('a change of plan', () => {
  it('happens when the new plan is paid, and ends the old one with the provider', async () => {
    const one = await createSubscriber();
    const chosen = await one.act('plan', { token: one.token, planId: 'yearly' });
    expect(Object.keys(chosen.body)).toEqual(['checkoutUrl']);
    expect(await one.shown()).toMatchObject({ status: 'ACTIVE', planId: 'monthly' });
    await pay(sessionOf(chosen.body));
    await processProviderCancellations(t.app.services);
    expect(await one.shown()).toMatchObject({
      status: 'ACTIVE',
      planId: 'yearly',
      renewalState: 'ACTIVE',
      currentPeriodStart: now(),
    });
    expect(await isEndedAtProvider(one.page)).toBe(true);
    // The old one was charged once more before the provider heard of it.
    await t.db.sql(`update sandbox_subscriptions set state = 'ACTIVE' where session_id = $1`, [one.page]);
    await one.press('renew');
    await processProviderCancellations(t.app.services);
    expect(await loadLedger(one.id)).toEqual({ kept: 5500, held: 5500 });
    expect([await isEndedAtProvider(one.page), await one.shown()]).toMatchObject([
      true,
      { planId: 'yearly' },
    ]);
  });

  it('gives back what was paid for a plan that was exchanged meanwhile', async () => {
    const one = await createSubscriber();
    const yearly = sessionOf((await one.act('plan', { token: one.token, planId: 'yearly' })).body);
    await sandbox.applyAction(yearly, 'pay');
    const kept = await one.act('plan', { token: one.token, planId: 'monthly' });
    expect(kept.body).toMatchObject({ id: one.id, planId: 'monthly' });
    await runAllJobs();
    expect(await one.shown()).toMatchObject({ planId: 'monthly', renewalState: 'ACTIVE' });
    expect([await isEndedAtProvider(yearly), await isEndedAtProvider(one.page)]).toEqual([true, false]);
    expect(await loadLedger(one.id)).toEqual({ kept: 500, held: 500 });
  });

  it('to a free plan happens at once', async () => {
    const one = await createSubscriber();
    const { body } = await one.act('plan', { token: one.token, planId: 'free' });
    expect(body).toMatchObject({ status: 'ACTIVE', planId: 'free' });
    expect(body).not.toHaveProperty('renewalState');
    await runAllJobs();
    expect(await isEndedAtProvider(one.page)).toBe(true);
    expect((await one.act('plan', { token: one.token, planId: 'gold' })).status).toBe(422);
    expect(
      (await one.act('plan', { token: one.token, planId: 'yearly', returnUrl: 'https://evil.example' }))
        .status,
    ).toBe(422);
  });
});

describe('what goes', () => {
  it('with its newsletter or its business is charged no more, and a late charge goes back', async () => {
    const one = await createSubscriber('weekly');
    await sandbox.applyRecurringAction(one.page, 'renew');
    await t.rest('DELETE', `${base}/collections/${one.letter}?force=true`, { as: shop.admin });
    await runAllJobs();
    await processProviderCancellations(t.app.services);
    expect(await isEndedAtProvider(one.page)).toBe(true);
    await runAllJobs();
    expect(await loadLedger(one.id)).toEqual({ kept: 100, held: 100 });
  });

  it('with the account of its subscriber ends too', async () => {
    const one = await createSubscriber('weekly', owner.email);
    const gone = await t.graphql(
      'mutation ($password: String) { deleteMe(password: $password) { id } }',
      { password: owner.password },
      { as: owner },
    );
    expect(gone.errors).toEqual([]);
    await runAllJobs();
    expect([await isEndedAtProvider(one.page), await one.shown()]).toMatchObject([
      true,
      { status: 'UNSUBSCRIBED' },
    ]);
  });
});
