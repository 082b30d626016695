/** Order returns: requested by the customer, refunded and restocked in one step by staff, never more than was shipped. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { PaymentRejectedError } from '../../src/ports/payments.ts';
import type { Person } from '../support/app.ts';
import { auditFindings } from '../support/consistency-audit.ts';
import { addProduct, detailErrors, loadStock } from '../support/shop-fixtures.ts';
import { actOnPage, guest, other, type Page, refund, sandbox, shop, stateOf, t } from './setup.ts';

interface ReturnBody {
  id: string;
  status: string;
  refundIds: string[];
  lines: object[];
  refundedAt?: number;
}

const units = (quantity: number, line = 0) => ({ line, quantity });

const requestReturn = (
  id: string,
  quantity: number,
  as: Person | undefined = guest,
  more: object = {},
  headers = {},
) =>
  t.rest<ReturnBody>('POST', `${shop.orders}/${id}/returns`, {
    as,
    body: { lines: [units(quantity)], ...more },
    headers,
  });

type Decision = 'accept' | 'refuse' | 'withdraw';
const bodies: Record<Decision, object | undefined> = {
  accept: {},
  refuse: { reason: 'Worn.' },
  withdraw: undefined,
};

const decideReturn = (
  decision: Decision,
  id: string,
  returnId: string,
  {
    as = decision === 'withdraw' ? guest : shop.admin,
    body = bodies[decision],
    headers = {},
    at = shop.orders,
  } = {},
) => t.rest<ReturnBody>('POST', `${at}/${id}/returns/${returnId}/${decision}`, { as, body, headers });

/** Creates a paid order of three units, of which `shipped` are fulfilled. */
async function buyShipped(shipped = 3, as: Person = guest) {
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

const findingsFor = async (id: string) =>
  (await auditFindings(t.app.services)).filter((finding) => finding.includes(id));

describe('a return', () => {
  it('refunds and restocks shipped units once, in one step', async () => {
    const { id, sold } = await buyShipped(2);
    const requested = await requestReturn(id, 2, guest, { reason: ' Too big ' });
    expect([requested.status, requested.body]).toEqual([
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
    expect(await loadStock(t, sold)).toBe(7);
    const done = await decideReturn('accept', id, requested.body.id);
    expect([done.status, done.body]).toEqual([
      200,
      {
        ...requested.body,
        status: 'ACCEPTED',
        lines: [{ ...units(2), acceptedQuantity: 2, restock: true }],
        refundIds: [expect.any(String)],
        decidedAt: expect.any(Number),
        refundedAt: expect.any(Number),
      },
    ]);
    expect((await decideReturn('accept', id, requested.body.id, { body: { refund: 1 } })).body).toEqual(
      done.body,
    );
    for (const decision of ['refuse', 'withdraw'] as const)
      expect(detailErrors((await decideReturn(decision, id, requested.body.id)).body)).toEqual([
        'returnId INVALID_TRANSITION',
      ]);
    expect(await loadStock(t, sold)).toBe(9);
    const { refunds, refunded, status } = await stateOf(id);
    expect([refunds.map(({ amount }) => amount), refunded, status]).toEqual([[2165], 2165, 'PROCESSING']);
    const { body } = await t.rest<{ lines: object[]; returns: ReturnBody[] }>('GET', `${shop.orders}/${id}`, {
      as: guest,
    });
    expect([body.lines, body.returns]).toMatchObject([
      [{ fulfilledQuantity: 2, returnedQuantity: 2, returnableQuantity: 0 }],
      [done.body],
    ]);
    // The third unit is not shipped yet and cannot be returned before that.
    expect(detailErrors((await requestReturn(id, 1)).body)).toEqual(['lines.0.quantity TOO_BIG']);
    await t.rest('POST', `${shop.orders}/${id}/fulfilments`, { as: shop.admin, body: {} });
    expect((await requestReturn(id, 1)).status).toBe(200);
    expect(await findingsFor(id)).toEqual([]);
  });

  it('can be accepted in part: accepted units are refunded and restocked, the rest is refused with a reason', async () => {
    const email = `${newId()}@people.example`;
    const customer = await t.person({ email });
    const { id, sold } = await buyShipped(3, customer);
    const { body: requested } = await requestReturn(id, 3, customer);
    const part = (quantity: number) => ({ body: { lines: [units(quantity)], refusal: 'Worn.' } });
    const [first, second] = await Promise.all(
      [1, 2].map((quantity) => decideReturn('accept', id, requested.id, part(quantity))),
    );
    // Two concurrent decisions: the second one fails with INVALID_TRANSITION.
    const [winner, loser] = first?.status === 200 ? [first, second] : [second, first];
    const quantity = winner === first ? 1 : 2;
    expect([winner?.status, winner?.body]).toEqual([
      200,
      {
        ...requested,
        status: 'ACCEPTED',
        lines: [{ ...units(3), acceptedQuantity: quantity, restock: true }],
        refusal: 'Worn.',
        refundIds: [expect.any(String)],
        decidedAt: expect.any(Number),
        refundedAt: expect.any(Number),
      },
    ]);
    expect([loser?.status, detailErrors(loser?.body)]).toEqual([422, ['lines INVALID_TRANSITION']]);
    expect((await decideReturn('accept', id, requested.id, part(quantity))).body).toEqual(winner?.body);
    for (const [decision, body, error] of [
      ['accept', {}, 'lines INVALID_TRANSITION'],
      ['refuse', { reason: 'Worn.' }, 'returnId INVALID_TRANSITION'],
    ] as const)
      expect(detailErrors((await decideReturn(decision, id, requested.id, { body })).body)).toEqual([error]);
    const { refunds, refunded } = await stateOf(id);
    expect([refunds.length, refunded, await loadStock(t, sold)]).toEqual([
      1,
      quantity === 1 ? 1082 : 2165,
      7 + quantity,
    ]);
    const { body } = await t.rest<{ lines: object[] }>('GET', `${shop.orders}/${id}`, { as: customer });
    expect(body.lines).toMatchObject([{ returnedQuantity: quantity, returnableQuantity: 3 - quantity }]);
    await t.app.drainJobs();
    const mails = (await t.outbox(email)).flatMap(({ subject, text }) =>
      subject?.startsWith('Return') ? [text?.split('\n\n').slice(2, 4)] : [],
    );
    expect(mails).toHaveLength(2);
    expect(mails).toContainEqual([`${quantity} × Teapot, Small`, expect.stringMatching(/^Shop\n/)]);
    expect(mails).toContainEqual([`${3 - quantity} × Teapot, Small`, 'Reason: Worn.']);
    // Refused units can be requested again, but no more than those.
    expect(detailErrors((await requestReturn(id, 4 - quantity, customer)).body)).toEqual([
      'lines.0.quantity TOO_BIG',
    ]);
    expect((await requestReturn(id, 3 - quantity, customer)).status).toBe(200);
    expect(await findingsFor(id)).toEqual([]);
  });

  it('covers only units that are shipped and not returned yet', async () => {
    const { id } = await buyShipped(2);
    const requestErrors = async (body: object) =>
      detailErrors((await requestReturn(id, 1, guest, body)).body);
    expect([
      await requestErrors({ lines: [units(3)] }),
      await requestErrors({ lines: [units(1), units(1)] }),
      await requestErrors({ lines: [units(1, 1)] }),
      await requestErrors({ lines: [] }),
      await requestErrors({ lines: [units(0), units(1.5)] }),
      await requestErrors({ reason: 'x'.repeat(1001) }),
    ]).toEqual([
      ['lines.0.quantity TOO_BIG'],
      ['lines.1.line LINE_NOT_FOUND'],
      ['lines.0.line LINE_NOT_FOUND'],
      ['lines TOO_SHORT'],
      ['lines.1.quantity INVALID_TYPE', 'lines.0.quantity TOO_SMALL'],
      ['reason TOO_LONG'],
    ]);
    const key = { 'idempotency-key': newId() };
    const first = await requestReturn(id, 2, guest, {}, key);
    expect((await requestReturn(id, 2, guest, {}, key)).body).toEqual(first.body);
    expect(await requestErrors({})).toEqual(['lines.0.quantity TOO_BIG']);
    const acceptErrors = async (body: object) =>
      detailErrors((await decideReturn('accept', id, first.body.id, { body })).body);
    expect([
      await acceptErrors({ refund: -1 }),
      await acceptErrors({ refund: 99_999 }),
      await acceptErrors({ lines: [{ line: 1, restock: true }] }),
      await acceptErrors({ lines: [1, 2].map(() => ({ line: 0, restock: true })) }),
      await acceptErrors({ lines: [units(3)], refusal: 'Worn.' }),
      await acceptErrors({ lines: [units(-1), units(1.5)] }),
      await acceptErrors({ lines: [units(1)] }),
      await acceptErrors({ lines: [units(1)], refusal: ' ' }),
      await acceptErrors({ lines: [units(0)], refusal: 'Worn.' }),
      await acceptErrors({ refusal: 'Worn.' }),
      detailErrors((await decideReturn('refuse', id, first.body.id, { body: { reason: ' ' } })).body),
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
    const { body: refused } = await decideReturn('refuse', id, first.body.id);
    expect(refused).toMatchObject({ status: 'REFUSED', refusal: 'Worn.', decidedAt: expect.any(Number) });
    expect((await decideReturn('refuse', id, first.body.id, { body: { reason: 'No.' } })).body).toEqual(
      refused,
    );
    const pending = await requestReturn(id, 2);
    const { body: withdrawn } = await decideReturn('withdraw', id, pending.body.id);
    expect(withdrawn).toEqual({ ...pending.body, status: 'WITHDRAWN', decidedAt: expect.any(Number) });
    expect((await decideReturn('withdraw', id, pending.body.id)).body).toEqual(withdrawn);
    expect(detailErrors((await decideReturn('accept', id, pending.body.id)).body)).toEqual([
      'returnId INVALID_TRANSITION',
    ]);
    const repeated = await requestReturn(id, 2);
    await refund(id, { lines: [units(3)] });
    expect(detailErrors((await decideReturn('accept', id, repeated.body.id)).body)).toEqual([
      'return.lines.0.quantity TOO_BIG',
    ]);
    expect((await stateOf(id)).refunds).toHaveLength(1);
  });

  it('is requested by its customer and decided by staff of this business', async () => {
    const { id } = await buyShipped(3);
    const [stranger, anotherGuest, packer] = [await t.person(), await t.guest(), await t.person()];
    await t.addMember(shop, packer, 'EDITOR');
    const reader = await t.withApiKey(shop.admin, ['ORDERS_READ']);
    const revoked = await t.withApiKey(shop.admin);
    const { body } = await requestReturn(id, 1);
    await t.db.prisma.apiToken.deleteMany({ where: { userId: revoked.userId, restricted: false } });
    const statuses = [];
    for (const as of [stranger, anotherGuest, other.admin, packer, reader, revoked])
      statuses.push([
        (await requestReturn(id, 1, as)).status,
        (await decideReturn('withdraw', id, body.id, { as })).status,
        (await decideReturn('accept', id, body.id, { as })).status,
        (await decideReturn('refuse', id, body.id, { as })).status,
      ]);
    expect(statuses).toEqual([
      [404, 404, 403, 403],
      [404, 404, 403, 403],
      [404, 404, 404, 404],
      [404, 404, 403, 403],
      [403, 403, 403, 403],
      [401, 401, 401, 401],
    ]);
    for (const decision of ['accept', 'refuse'] as const)
      expect((await decideReturn(decision, id, body.id, { as: guest })).status).toBe(403);
    for (const decision of ['accept', 'refuse', 'withdraw'] as const) {
      const otherBusiness = { as: other.admin, at: other.orders };
      expect((await decideReturn(decision, id, body.id, otherBusiness)).status).toBe(404);
      expect((await decideReturn(decision, id, newId(), { as: shop.admin })).status).toBe(404);
    }
    const stale = { headers: { 'if-match': '"1"' } };
    expect((await decideReturn('accept', id, body.id, stale)).status).toBe(412);
    expect((await stateOf(id)).refunds).toEqual([]);
    expect((await requestReturn(id, 1, shop.admin)).status).toBe(200);
    expect((await decideReturn('withdraw', id, body.id.toUpperCase(), { as: shop.admin })).status).toBe(200);
  });

  it('without a refund only restocks; a refund that the provider rejects can be retried', async () => {
    const { id, sold } = await buyShipped(3);
    const free = await requestReturn(id, 1);
    expect((await decideReturn('accept', id, free.body.id, { body: { refund: 0 } })).body).toMatchObject({
      refundIds: [],
    });
    expect([await loadStock(t, sold), (await stateOf(id)).refunded]).toEqual([8, 0]);
    const broken = await requestReturn(id, 1);
    const body = { lines: [{ line: 0, restock: false }] };
    expect((await decideReturn('accept', id, broken.body.id, { body })).body).toMatchObject({
      lines: [{ ...units(1), acceptedQuantity: 1, restock: false }],
    });
    expect([await loadStock(t, sold), (await stateOf(id)).refunded]).toEqual([8, 1082]);
    const { refund: originalRefund } = sandbox;
    sandbox.refund = () => Promise.reject(new PaymentRejectedError('No.'));
    const last = await requestReturn(id, 1);
    const failed = await decideReturn('accept', id, last.body.id);
    sandbox.refund = originalRefund;
    expect([failed.status, failed.body.refundedAt, await loadStock(t, sold)]).toEqual([200, undefined, 8]);
    const retry = `${shop.orders}/${id}/refunds/${failed.body.refundIds[0]}/retry`;
    expect((await t.rest('POST', retry, { as: shop.admin })).status).toBe(200);
    expect([await loadStock(t, sold), (await stateOf(id)).refunded]).toEqual([9, 2165]);
    expect(await findingsFor(id)).toEqual([]);
  });

  it('notifies the customer of the decision by mail', async () => {
    const email = `${newId()}@people.example`;
    const customer = await t.person({ email });
    const { id } = await buyShipped(3, customer);
    for (const decision of ['accept', 'refuse', 'withdraw'] as const) {
      const { body } = await requestReturn(id, 1, customer);
      await decideReturn(decision, id, body.id, decision === 'withdraw' ? { as: customer } : {});
      await t.app.drainJobs();
    }
    const mails = (await t.outbox(email)).slice(2);
    expect(mails.map(({ subject }) => subject?.replace(/\d{4}/, 'N'))).toEqual([
      'Return of your order N at Shop accepted',
      'Refund for your order N at Shop',
      'Return of your order N at Shop not accepted',
    ]);
    expect(mails[2]?.text?.split('\n\n').slice(2, 4)).toEqual(['1 × Teapot, Small', 'Reason: Worn.']);
  });

  it('is decided once under concurrency', async () => {
    const { id, sold } = await buyShipped(3);
    const { body } = await requestReturn(id, 2);
    const responses = await Promise.all(Array.from({ length: 6 }, () => decideReturn('accept', id, body.id)));
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect([(await stateOf(id)).refunds.length, await loadStock(t, sold)]).toEqual([1, 9]);
    const requests = await Promise.all(Array.from({ length: 4 }, () => requestReturn(id, 1)));
    const [open] = requests.filter(({ status }) => status === 200);
    expect(requests.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
    const [accepted, withdrawn] = await Promise.all([
      decideReturn('accept', id, open?.body.id ?? ''),
      decideReturn('withdraw', id, open?.body.id ?? ''),
    ]);
    expect([accepted.status, withdrawn.status].sort()).toEqual([200, 422]);
    expect((await stateOf(id)).refunds.length).toBe(accepted.status === 200 ? 2 : 1);
    expect(await findingsFor(id)).toEqual([]);
  });
});
