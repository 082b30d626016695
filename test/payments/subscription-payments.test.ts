/** Payments of subscriptions on the sandbox page: a payment activates the plan it was made for, once. */
import { expect, it } from 'vitest';
import { receivePaymentEvent } from '../../src/domains/payments/receive-payment-event.ts';
import { newId } from '../../src/lib/ids.ts';
import { balanceAtProvider, guest, sandbox, sessionOf, shop, t } from './setup.ts';

const plan = (id: string, amount: number) => ({
  id,
  name: id,
  price: { amount, currency: 'usd', interval: 'MONTHLY' },
});

async function createNewsletter() {
  const base = `/v1/businesses/${shop.businessId}/collections`;
  const { body } = await t.rest<{ id: string }>('POST', base, {
    as: shop.admin,
    body: { name: 'Letter', type: 'NEWSLETTER', plans: [plan('cheap', 100), plan('expensive', 9900)] },
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

it('does not activate the expensive plan for the price of the cheap one', async () => {
  const { subscribe, stored } = await createNewsletter();
  const cheap = await subscribe('cheap');
  await sandbox.applyAction(sessionOf(cheap), 'pay');
  const expensive = await subscribe('expensive');
  await t.app.drainJobs();
  expect(await stored()).toMatchObject({ status: 'PENDING', planId: 'expensive' });
  expect(await balanceAtProvider(cheap)).toBe(0);
  await sandbox.applyAction(sessionOf(expensive), 'pay');
  await t.app.drainJobs();
  expect(await stored()).toMatchObject({ status: 'ACTIVE', planId: 'expensive' });
  expect(await balanceAtProvider(expensive)).toBe(9900);
});

it('refunds the second of two payments', async () => {
  const { subscribe, stored } = await createNewsletter();
  const first = await subscribe('expensive');
  const { id } = await stored();
  await sandbox.applyAction(sessionOf(first), 'pay');
  await t.app.drainJobs();
  const otherNewsletter = await createNewsletter();
  const second = await otherNewsletter.subscribe('expensive');
  await t.db.write(`update sandbox_payments set state = 'PAID' where id = $1`, [sessionOf(second)]);
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

it('ends with a full refund, not with a partial one', async () => {
  const { subscribe, stored } = await createNewsletter();
  const page = await subscribe('expensive');
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

it('waits for a bank transfer without opening a second page', async () => {
  const { subscribe, stored } = await createNewsletter();
  const page = await subscribe('expensive');
  await sandbox.applyAction(sessionOf(page), 'transfer');
  await t.app.drainJobs();
  expect(await subscribe('expensive')).toEqual(page);
  await sandbox.applyAction(sessionOf(page), 'settle');
  await t.app.drainJobs();
  expect(await stored()).toMatchObject({ status: 'ACTIVE', planId: 'expensive' });
});
