/** Subscriptions and their money, on the sandbox's page: a payment gives the plan it was made for, once. */
import { expect, it } from 'vitest';
import { receivePaymentEvent } from '../../src/domains/payments/receive-event.ts';
import { newId } from '../../src/lib/ids.ts';
import { balanceAtProvider, guest, sandbox, sessionOf, shop, t } from './setup.ts';

const plan = (id: string, amount: number) => ({
  id,
  name: id,
  price: { amount, currency: 'usd', interval: 'MONTHLY' },
});

async function newsletter() {
  const base = `/v1/businesses/${shop.businessId}/collections`;
  const { body } = await t.rest<{ id: string }>('POST', base, {
    as: shop.admin,
    body: { name: 'Letter', type: 'NEWSLETTER', plans: [plan('cheap', 100), plan('dear', 9900)] },
  });
  const email = `${newId()}@mail.example`;
  const subscribe = async (planId: string) =>
    (
      await t.rest<{ id?: string; status?: string; planId?: string; checkoutUrl: string }>(
        'POST',
        `${base}/${body.id}/subscribe`,
        { as: guest, body: { email, planId } },
      )
    ).body;
  const stored = () =>
    t.db.prisma.subscription.findFirstOrThrow({
      where: { key: email },
      select: { id: true, status: true, planId: true },
    });
  return { subscribe, stored };
}

it('does not give the dear plan for the cheap price', async () => {
  const { subscribe, stored } = await newsletter();
  const cheap = await subscribe('cheap');
  await sandbox.applyAction(sessionOf(cheap), 'pay');
  const dear = await subscribe('dear');
  await t.app.drainJobs();
  expect(await stored()).toMatchObject({ status: 'PENDING', planId: 'dear' });
  expect(await balanceAtProvider(cheap)).toBe(0);
  await sandbox.applyAction(sessionOf(dear), 'pay');
  await t.app.drainJobs();
  expect(await stored()).toMatchObject({ status: 'ACTIVE', planId: 'dear' });
  expect(await balanceAtProvider(dear)).toBe(9900);
});

it('keeps one payment of two', async () => {
  const { subscribe, stored } = await newsletter();
  const first = await subscribe('dear');
  const { id } = await stored();
  await sandbox.applyAction(sessionOf(first), 'pay');
  await t.app.drainJobs();
  const twin = await newsletter();
  const second = await twin.subscribe('dear');
  await t.db.sql(`update sandbox_payments set state = 'PAID' where id = $1`, [sessionOf(second)]);
  await receivePaymentEvent(t.app.services, {
    id: newId(),
    type: 'paid',
    reference: `subscription:${id}`,
    paymentId: `pay_${sessionOf(second)}`,
    amount: 9900,
    currency: 'USD',
  });
  await t.app.drainJobs();
  expect([await balanceAtProvider(first), await balanceAtProvider(second)]).toEqual([9900, 0]);
  expect(await stored()).toMatchObject({ status: 'ACTIVE' });
});

it('ends with a refund of the whole payment, not with one of a cent', async () => {
  const { subscribe, stored } = await newsletter();
  const page = await subscribe('dear');
  await sandbox.applyAction(sessionOf(page), 'pay');
  await t.app.drainJobs();
  const paymentId = `pay_${sessionOf(page)}`;
  await sandbox.refund({ paymentId, amount: 1, currency: 'USD', key: 'a cent', since: 0 });
  await receivePaymentEvent(t.app.services, {
    id: newId(),
    type: 'refunded',
    paymentId,
    amount: 1,
    currency: 'USD',
  });
  expect((await stored()).status).toBe('ACTIVE');
  await sandbox.applyAction(sessionOf(page), 'lose');
  await t.app.drainJobs();
  expect((await stored()).status).toBe('CANCELLED');
});

it('waits for a transfer without asking for the money twice', async () => {
  const { subscribe, stored } = await newsletter();
  const page = await subscribe('dear');
  await sandbox.applyAction(sessionOf(page), 'transfer');
  await t.app.drainJobs();
  expect(await subscribe('dear')).toEqual(page);
  await sandbox.applyAction(sessionOf(page), 'settle');
  await t.app.drainJobs();
  expect(await stored()).toMatchObject({ status: 'ACTIVE', planId: 'dear' });
});
