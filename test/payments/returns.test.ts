/** Returns: asked for by the customer, refunded and restocked in one step by staff, never more than was shipped. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { PaymentRejectedError } from '../../src/ports/payments.ts';
import type { Person } from '../support/app.ts';
import { findingsOf } from '../support/audit.ts';
import { addProduct, faultsOf, stockOf } from '../support/selling.ts';
import { actOnPage, guest, other, type Page, refund, sandbox, shop, stateOf, t } from './setup.ts';

interface Wish {
  id: string;
  status: string;
  refundIds: string[];
  lines: object[];
  refundedAt?: number;
}

const units = (quantity: number, line = 0) => ({ line, quantity });

const ask = (id: string, quantity: number, as: Person | undefined = guest, more: object = {}, headers = {}) =>
  t.rest<Wish>('POST', `${shop.orders}/${id}/returns`, {
    as,
    body: { lines: [units(quantity)], ...more },
    headers,
  });

type Answer = 'accept' | 'refuse' | 'withdraw';
const bodies: Record<Answer, object | undefined> = {
  accept: {},
  refuse: { reason: 'Worn.' },
  withdraw: undefined,
};

const say = (
  what: Answer,
  id: string,
  returnId: string,
  { as = what === 'withdraw' ? guest : shop.admin, body = bodies[what], headers = {}, at = shop.orders } = {},
) => t.rest<Wish>('POST', `${at}/${id}/returns/${returnId}/${what}`, { as, body, headers });

/** Three of something, paid; `shipped` of them are on their way. */
async function bought(shipped = 3, as: Person = guest) {
  const sold = await addProduct(t, shop, { price: 1000, stock: 10 });
  const { body } = await t.rest<Page>('POST', `${shop.orders}/checkout`, {
    as,
    body: { market: 'US', shippingMethodId: 'standard', items: [{ ...sold, quantity: 3 }] },
  });
  await actOnPage(body, 'pay');
  const lines = [units(shipped)];
  await t.rest('POST', `${shop.orders}/${body.orderId}/fulfilments`, { as: shop.admin, body: { lines } });
  return { id: body.orderId, sold };
}

const booksOf = async (id: string) =>
  (await findingsOf(t.app.services)).filter((finding) => finding.includes(id));

describe('a return', () => {
  it('refunds and restocks what was shipped, once, in one step', async () => {
    const { id, sold } = await bought(2);
    const asked = await ask(id, 2, guest, { reason: ' Too big ' });
    expect([asked.status, asked.body]).toEqual([
      200,
      {
        id: expect.any(String),
        status: 'REQUESTED',
        lines: [units(2)],
        reason: 'Too big',
        refundIds: [],
        createdAt: expect.any(Number),
      },
    ]);
    expect(await stockOf(t, sold)).toBe(7);
    const done = await say('accept', id, asked.body.id);
    expect([done.status, done.body]).toEqual([
      200,
      {
        ...asked.body,
        status: 'ACCEPTED',
        lines: [{ ...units(2), acceptedQuantity: 2, restock: true }],
        refundIds: [expect.any(String)],
        decidedAt: expect.any(Number),
        refundedAt: expect.any(Number),
      },
    ]);
    expect((await say('accept', id, asked.body.id, { body: { refund: 1 } })).body).toEqual(done.body);
    for (const what of ['refuse', 'withdraw'] as const)
      expect(faultsOf((await say(what, id, asked.body.id)).body)).toEqual(['returnId INVALID_TRANSITION']);
    expect(await stockOf(t, sold)).toBe(9);
    const { refunds, refunded, status } = await stateOf(id);
    expect([refunds.map(({ amount }) => amount), refunded, status]).toEqual([[2165], 2165, 'PROCESSING']);
    const { body } = await t.rest<{ lines: object[]; returns: Wish[] }>('GET', `${shop.orders}/${id}`, {
      as: guest,
    });
    expect([body.lines, body.returns]).toMatchObject([
      [{ fulfilledQuantity: 2, returnedQuantity: 2, returnableQuantity: 0 }],
      [done.body],
    ]);
    // The unit that was not shipped is still there to be shipped, and cannot come back before that.
    expect(faultsOf((await ask(id, 1)).body)).toEqual(['lines.0.quantity TOO_BIG']);
    await t.rest('POST', `${shop.orders}/${id}/fulfilments`, { as: shop.admin, body: {} });
    expect((await ask(id, 1)).status).toBe(200);
    expect(await booksOf(id)).toEqual([]);
  });

  it('is accepted in part: that is refunded and restocked, the rest refused with a reason, once', async () => {
    const email = `${newId()}@people.example`;
    const customer = await t.person({ email });
    const { id, sold } = await bought(3, customer);
    const { body: asked } = await ask(id, 3, customer);
    const part = (quantity: number) => ({ body: { lines: [units(quantity)], refusal: 'Worn.' } });
    const [one, two] = await Promise.all(
      [1, 2].map((quantity) => say('accept', id, asked.id, part(quantity))),
    );
    // Two of the staff at the same moment: one is told that it is decided otherwise.
    const [won, lost] = one?.status === 200 ? [one, two] : [two, one];
    const quantity = won === one ? 1 : 2;
    expect([won?.status, won?.body]).toEqual([
      200,
      {
        ...asked,
        status: 'ACCEPTED',
        lines: [{ ...units(3), acceptedQuantity: quantity, restock: true }],
        refusal: 'Worn.',
        refundIds: [expect.any(String)],
        decidedAt: expect.any(Number),
        refundedAt: expect.any(Number),
      },
    ]);
    expect([lost?.status, faultsOf(lost?.body)]).toEqual([422, ['lines INVALID_TRANSITION']]);
    expect((await say('accept', id, asked.id, part(quantity))).body).toEqual(won?.body);
    for (const [what, said, fault] of [
      ['accept', {}, 'lines INVALID_TRANSITION'],
      ['refuse', { reason: 'Worn.' }, 'returnId INVALID_TRANSITION'],
    ] as const)
      expect(faultsOf((await say(what, id, asked.id, { body: said })).body)).toEqual([fault]);
    const { refunds, refunded } = await stateOf(id);
    expect([refunds.length, refunded, await stockOf(t, sold)]).toEqual([
      1,
      quantity === 1 ? 1082 : 2165,
      7 + quantity,
    ]);
    const { body } = await t.rest<{ lines: object[] }>('GET', `${shop.orders}/${id}`, { as: customer });
    expect(body.lines).toMatchObject([{ returnedQuantity: quantity, returnableQuantity: 3 - quantity }]);
    await t.app.drainJobs();
    const told = (await t.outbox(email)).flatMap(({ subject, text }) =>
      subject?.startsWith('Return') ? [text?.split('\n\n').slice(2, 4)] : [],
    );
    expect(told).toHaveLength(2);
    expect(told).toContainEqual([`${quantity} × Teapot, Small`, 'Shop\n']);
    expect(told).toContainEqual([`${3 - quantity} × Teapot, Small`, 'Worn.']);
    // What was refused may be asked for again, and no more than that.
    expect(faultsOf((await ask(id, 4 - quantity, customer)).body)).toEqual(['lines.0.quantity TOO_BIG']);
    expect((await ask(id, 3 - quantity, customer)).status).toBe(200);
    expect(await booksOf(id)).toEqual([]);
  });

  it('is of nothing but what was shipped and not given back yet', async () => {
    const { id } = await bought(2);
    const faults = async (body: object) => faultsOf((await ask(id, 1, guest, body)).body);
    expect([
      await faults({ lines: [units(3)] }),
      await faults({ lines: [units(1), units(1)] }),
      await faults({ lines: [units(1, 1)] }),
      await faults({ lines: [] }),
      await faults({ lines: [units(0), units(1.5)] }),
      await faults({ reason: 'x'.repeat(1001) }),
    ]).toEqual([
      ['lines.0.quantity TOO_BIG'],
      ['lines.1.line LINE_NOT_FOUND'],
      ['lines.0.line LINE_NOT_FOUND'],
      ['lines TOO_SHORT'],
      ['lines.1.quantity INVALID_TYPE', 'lines.0.quantity TOO_SMALL'],
      ['reason TOO_LONG'],
    ]);
    const key = { 'idempotency-key': newId() };
    const first = await ask(id, 2, guest, {}, key);
    expect((await ask(id, 2, guest, {}, key)).body).toEqual(first.body);
    expect(await faults({})).toEqual(['lines.0.quantity TOO_BIG']);
    const accepting = async (body: object) =>
      faultsOf((await say('accept', id, first.body.id, { body })).body);
    expect([
      await accepting({ refund: -1 }),
      await accepting({ refund: 99_999 }),
      await accepting({ lines: [{ line: 1, restock: true }] }),
      await accepting({ lines: [1, 2].map(() => ({ line: 0, restock: true })) }),
      await accepting({ lines: [units(3)], refusal: 'Worn.' }),
      await accepting({ lines: [units(-1), units(1.5)] }),
      await accepting({ lines: [units(1)] }),
      await accepting({ lines: [units(1)], refusal: ' ' }),
      await accepting({ lines: [units(0)], refusal: 'Worn.' }),
      await accepting({ refusal: 'Worn.' }),
      faultsOf((await say('refuse', id, first.body.id, { body: { reason: ' ' } })).body),
    ]).toEqual([
      ['refund TOO_SMALL'],
      ['refund REFUND_TOO_LARGE'],
      ['lines.0.line LINE_NOT_FOUND'],
      ['lines.1.line LINE_NOT_FOUND'],
      ['lines.0.quantity TOO_BIG'],
      ['lines.1.quantity INVALID_TYPE', 'lines.0.quantity TOO_SMALL'],
      ['refusal REQUIRED'],
      ['refusal TOO_SHORT'],
      ['lines TOO_SMALL'],
      ['refusal INVALID_VALUE'],
      ['reason TOO_SHORT'],
    ]);
    const { body: refused } = await say('refuse', id, first.body.id);
    expect(refused).toMatchObject({ status: 'REFUSED', refusal: 'Worn.', decidedAt: expect.any(Number) });
    expect((await say('refuse', id, first.body.id, { body: { reason: 'No.' } })).body).toEqual(refused);
    const kept = await ask(id, 2);
    const { body: withdrawn } = await say('withdraw', id, kept.body.id);
    expect(withdrawn).toEqual({ ...kept.body, status: 'WITHDRAWN', decidedAt: expect.any(Number) });
    expect((await say('withdraw', id, kept.body.id)).body).toEqual(withdrawn);
    expect(faultsOf((await say('accept', id, kept.body.id)).body)).toEqual(['returnId INVALID_TRANSITION']);
    const again = await ask(id, 2);
    await refund(id, { lines: [units(3)] });
    expect(faultsOf((await say('accept', id, again.body.id)).body)).toEqual([
      'return.lines.0.quantity TOO_BIG',
    ]);
    expect((await stateOf(id)).refunds).toHaveLength(1);
  });

  it('is asked for by its customer and decided by staff, of this business alone', async () => {
    const { id } = await bought(3);
    const [stranger, anotherGuest, packer] = [await t.person(), await t.guest(), await t.person()];
    await t.hire(shop, packer, 'EDITOR');
    const reader = await t.withApiKey(shop.admin, ['ORDERS_READ']);
    const revoked = await t.withApiKey(shop.admin);
    const { body } = await ask(id, 1);
    await t.db.prisma.apiToken.deleteMany({ where: { userId: revoked.userId, restricted: false } });
    const statuses = [];
    for (const as of [stranger, anotherGuest, other.admin, packer, reader, revoked])
      statuses.push([
        (await ask(id, 1, as)).status,
        (await say('withdraw', id, body.id, { as })).status,
        (await say('accept', id, body.id, { as })).status,
        (await say('refuse', id, body.id, { as })).status,
      ]);
    expect(statuses).toEqual([
      [404, 404, 403, 403],
      [404, 404, 403, 403],
      [404, 404, 404, 404],
      [404, 404, 403, 403],
      [403, 403, 403, 403],
      [401, 401, 401, 401],
    ]);
    for (const what of ['accept', 'refuse'] as const)
      expect((await say(what, id, body.id, { as: guest })).status).toBe(403);
    for (const what of ['accept', 'refuse', 'withdraw'] as const) {
      const elsewhere = { as: other.admin, at: other.orders };
      expect((await say(what, id, body.id, elsewhere)).status).toBe(404);
      expect((await say(what, id, newId(), { as: shop.admin })).status).toBe(404);
    }
    const stale = { headers: { 'if-match': '"1"' } };
    expect((await say('accept', id, body.id, stale)).status).toBe(412);
    expect((await stateOf(id)).refunds).toEqual([]);
    expect((await ask(id, 1, shop.admin)).status).toBe(200);
    expect((await say('withdraw', id, body.id.toUpperCase(), { as: shop.admin })).status).toBe(200);
  });

  it('for no money only takes the goods back; one that the provider refuses can be tried again', async () => {
    const { id, sold } = await bought(3);
    const free = await ask(id, 1);
    expect((await say('accept', id, free.body.id, { body: { refund: 0 } })).body).toMatchObject({
      refundIds: [],
    });
    expect([await stockOf(t, sold), (await stateOf(id)).refunded]).toEqual([8, 0]);
    const broken = await ask(id, 1);
    const body = { lines: [{ line: 0, restock: false }] };
    expect((await say('accept', id, broken.body.id, { body })).body).toMatchObject({
      lines: [{ ...units(1), acceptedQuantity: 1, restock: false }],
    });
    expect([await stockOf(t, sold), (await stateOf(id)).refunded]).toEqual([8, 1082]);
    const { refund: send } = sandbox;
    sandbox.refund = () => Promise.reject(new PaymentRejectedError('No.'));
    const last = await ask(id, 1);
    const failed = await say('accept', id, last.body.id);
    sandbox.refund = send;
    expect([failed.status, failed.body.refundedAt, await stockOf(t, sold)]).toEqual([200, undefined, 8]);
    const retry = `${shop.orders}/${id}/refunds/${failed.body.refundIds[0]}/retry`;
    expect((await t.rest('POST', retry, { as: shop.admin })).status).toBe(200);
    expect([await stockOf(t, sold), (await stateOf(id)).refunded]).toEqual([9, 2165]);
    expect(await booksOf(id)).toEqual([]);
  });

  it('is told to its customer when it is decided', async () => {
    const email = `${newId()}@people.example`;
    const customer = await t.person({ email });
    const { id } = await bought(3, customer);
    for (const what of ['accept', 'refuse', 'withdraw'] as const) {
      const { body } = await ask(id, 1, customer);
      await say(what, id, body.id, what === 'withdraw' ? { as: customer } : {});
      await t.app.drainJobs();
    }
    const mails = (await t.outbox(email)).slice(2);
    expect(mails.map(({ subject }) => subject?.replace(/\d{4}/, 'N'))).toEqual([
      'Return of your order N at Shop accepted',
      'Refund for your order N at Shop',
      'Return of your order N at Shop not accepted',
    ]);
    expect(mails[2]?.text?.split('\n\n').slice(2, 4)).toEqual(['1 × Teapot, Small', 'Worn.']);
  });

  it('is decided once, however many do at the same moment', async () => {
    const { id, sold } = await bought(3);
    const { body } = await ask(id, 2);
    const answers = await Promise.all(Array.from({ length: 6 }, () => say('accept', id, body.id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect([(await stateOf(id)).refunds.length, await stockOf(t, sold)]).toEqual([1, 9]);
    const wishes = await Promise.all(Array.from({ length: 4 }, () => ask(id, 1)));
    const [open] = wishes.filter(({ status }) => status === 200);
    expect(wishes.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
    const [yes, no] = await Promise.all([
      say('accept', id, open?.body.id ?? ''),
      say('withdraw', id, open?.body.id ?? ''),
    ]);
    expect([yes.status, no.status].sort()).toEqual([200, 422]);
    expect((await stateOf(id)).refunds.length).toBe(yes.status === 200 ? 2 : 1);
    expect(await booksOf(id)).toEqual([]);
  });
});
