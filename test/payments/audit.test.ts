/** Audit: no findings while all records are consistent, one finding for each kind of discrepancy. */
import { beforeEach, expect, it } from 'vitest';
import { auditCommand } from '../../src/cli/commands/audit-money-and-stock.ts';
import { auditStockJob } from '../../src/domains/products/stock/audit-stock.ts';
import { newId } from '../../src/lib/ids.ts';
import { OperatorError } from '../../src/lib/operator-errors.ts';
import { now } from '../../src/lib/time.ts';
import { auditFindings } from '../support/consistency-audit.ts';
import { addProduct, addPromoCode } from '../support/shop-fixtures.ts';
import { actOnPage, buy, cancel, edit, guest, type Page, pot, refund, sessionOf, shop, t } from './setup.ts';

let page: Page;
beforeEach(async () => {
  page = await buy();
  await actOnPage(page, 'pay');
});

const findings = () => auditFindings(t.app.services);

async function buyAndPay(): Promise<Page> {
  const bought = await buy();
  await actOnPage(bought, 'pay');
  return bought;
}

async function runCommand(): Promise<string> {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  await auditCommand({ config: t.app.services.config, db: t.db, cwd: '.', write }, []);
  return written;
}

it('reports no findings after payments, refunds and cancellations', async () => {
  await refund(page.orderId, { amount: 500 });
  const cancelled = await buy();
  await actOnPage(cancelled, 'pay');
  await cancel(cancelled.orderId);
  const late = await buy();
  await actOnPage(late, 'transfer');
  await cancel(late.orderId);
  await actOnPage(late, 'settle');
  await t.app.drainJobs();
  // Staff record a payment outside the gateway, set a tax, and edit lines.
  const external = await buy();
  await edit(external.orderId, { paymentStatus: [{ status: 'PAID' }], tax: 5 });
  await edit((await buy()).orderId, { lines: [{ ...pot, quantity: 3 }], discount: 100 });
  expect(await findings()).toEqual([]);
  expect(await runCommand()).toMatch(/^The books balance: \d+ payment pages/);
});

/** A PENDING refund of 100, created so many seconds ago. */
function pendingRefund(
  providerRefundId: string | null,
  ageSeconds: number,
): [introduce: string, repair: string, params: unknown[], finding: string] {
  const [id, createdAt] = [newId(), now() - ageSeconds];
  const since = new Date(createdAt * 1000).toISOString().slice(0, 10);
  return [
    `insert into refunds (id, attempt_id, payment_id, amount, currency, status, counts, provider_refund_id, created_at)
     select $1, id, payment_id, 100, currency, 'PENDING', true, $2, $3 from payment_attempts where reference = $4`,
    `delete from refunds where id = $1 and $2::text is not distinct from provider_refund_id and created_at = $3 and $4 <> ''`,
    [id, providerRefundId, createdAt, `order:${page.orderId}`],
    `order:${page.orderId}: refund ${id} of 100 USD is PENDING since ${since}`,
  ];
}

it.each([
  ['not confirmed for less than a day', null, 23 * 3600],
  ['confirmed and not settled for less than 14 days', 're_soon', 13 * 86_400],
])('accepts a refund that is %s', async (_name, providerRefundId, age) => {
  const [introduce, repair, params] = pendingRefund(providerRefundId, age);
  await t.db.write(introduce, params);
  expect(await findings()).toEqual([]);
  await t.db.write(repair, params);
});

/** Statements that introduce and repair a discrepancy, and the expected finding. */
const discrepancies: [
  string,
  () => Promise<[introduce: string, repair: string, params: unknown[], finding: string]>,
][] = [
  [
    'an order whose captured amount exceeds its payments',
    async () => [
      'update orders set captured = captured + 1 where id = $1',
      'update orders set captured = captured - 1 where id = $1',
      [page.orderId],
      `order:${page.orderId}: captured 1674, but its payments add up to 1673`,
    ],
  ],
  [
    'an order whose subtotal differs from its lines',
    async () => [
      'update orders set total = total + 1, subtotal = subtotal + 1 where id = $1',
      'update orders set total = total - 1, subtotal = subtotal - 1 where id = $1',
      [page.orderId],
      `order:${page.orderId}: subtotal 1001, but its lines add up to 1000`,
    ],
  ],
  [
    'an order whose refunded amount exceeds its refunds',
    async () => [
      'update orders set refunded = 5 where id = $1',
      'update orders set refunded = 0 where id = $1',
      [page.orderId],
      `order:${page.orderId}: refunded 5, but its payments add up to 0`,
    ],
  ],
  [
    'an order whose lines have another tax',
    async () => [
      `update orders set lines = jsonb_set(lines, '{0,tax}', '84') where id = $1`,
      `update orders set lines = jsonb_set(lines, '{0,tax}', '83') where id = $1`,
      [page.orderId],
      `order:${page.orderId}: tax 83, but its lines add up to 84; tax 84 of its lines at 825 basis points, but that is 82.5 before rounding`,
    ],
  ],
  [
    'an order whose lines have another discount',
    async () => [
      `update orders set tax_set_by_staff = true, lines = jsonb_set(lines, '{0,discount}', '5') where id = $1`,
      `update orders set tax_set_by_staff = false, lines = jsonb_set(lines, '{0,discount}', '0') where id = $1`,
      [page.orderId],
      `order:${page.orderId}: discount 0, but its lines add up to 5; discount 5 of a line, but its share of the discount is 0 before rounding`,
    ],
  ],
  [
    'an order whose tax does not follow the rate of its line',
    async () => [
      `update orders set lines = jsonb_set(lines, '{0,taxBps}', '700') where id = $1`,
      `update orders set lines = lines #- '{0,taxBps}' where id = $1`,
      [page.orderId],
      `order:${page.orderId}: tax 83 of its lines at 700 basis points, but that is 70 before rounding`,
    ],
  ],
  [
    'an order of an earlier version whose tax is allocated to the wrong line',
    async () => {
      const items = [pot, await addProduct(t, shop, { price: 2000, name: 'Stamp' })];
      const { body } = await t.rest<Page>('POST', `${shop.orders}/checkout`, {
        as: guest,
        body: {
          market: 'US',
          shippingMethodId: 'standard',
          items: items.map((item) => ({ ...item, quantity: 1 })),
        },
      });
      // 3000 at 825 basis points are 247.5; earlier versions did not store `tax_set_by_staff`.
      const set = (first: number, second: number) =>
        `update orders set tax_set_by_staff = null,
           lines = jsonb_set(jsonb_set(lines, '{0,tax}', '${first}'), '{1,tax}', '${second}') where id = $1`;
      return [
        set(165, 83),
        set(83, 165),
        [body.orderId],
        `order:${body.orderId}: tax 165 of a line at 825 basis points, but that is 82.5 before rounding; tax 83 of a line at 825 basis points, but that is 165 before rounding`,
      ];
    },
  ],
  [
    'an order in another currency than its payment',
    async () => [
      `update orders set currency = 'JPY' where id = $1`,
      `update orders set currency = 'USD' where id = $1`,
      [page.orderId],
      `order:${page.orderId}: currency JPY, but its payment attempt order:${page.orderId} is in USD`,
    ],
  ],
  [
    'an order that is PAID without a payment',
    async () => {
      const open = await buy();
      return [
        `update orders set payment_statuses = payment_statuses || '[{"id": "x", "status": "PAID", "changedBy": "SYSTEM", "timestamp": 1}]'
         where id = $1`,
        'update orders set payment_statuses = payment_statuses - 1 where id = $1',
        [open.orderId],
        `order:${open.orderId}: owes 0, but its payment page order:${open.orderId} asks for 1673; is PAID, but nothing of its total 1673 was captured`,
      ];
    },
  ],
  [
    'refunded units without a refund',
    async () => [
      `update orders set lines = jsonb_set(lines, '{0,refunded}', '1') where id = $1`,
      `update orders set lines = lines #- '{0,refunded}' where id = $1`,
      [page.orderId],
      `order:${page.orderId}: 1 units of variant ${pot.variantId} are refunded, but its succeeded refunds have 0`,
    ],
  ],
  [
    'a refund of units that the order does not count',
    async () => {
      const { orderId } = await buyAndPay();
      await refund(orderId, { lines: [{ line: 0, quantity: 1 }] });
      return [
        `update orders set lines = jsonb_set(lines, '{0,refunded}', '0') where id = $1`,
        `update orders set lines = jsonb_set(lines, '{0,refunded}', '1') where id = $1`,
        [orderId],
        `order:${orderId}: 0 units of variant ${pot.variantId} are refunded, but its succeeded refunds have 1`,
      ];
    },
  ],
  [
    'more refunded units than an order has',
    async () => {
      const { orderId } = await buyAndPay();
      await refund(orderId, { lines: [{ line: 0, quantity: 1 }] });
      const plant = (units: number) =>
        `with r as (update refunds set lines = jsonb_set(lines, '{0,quantity}', '${units}')
           where attempt_id = (select id from payment_attempts where reference = 'order:' || $1))
         update orders set lines = jsonb_set(lines, '{0,refunded}', '${units}') where id = $1::uuid`;
      return [
        plant(2),
        plant(1),
        [orderId],
        `order:${orderId}: 2 of 1 units of variant ${pot.variantId} are refunded`,
      ];
    },
  ],
  [
    'an order that holds other stock than it took',
    async () => [
      `update orders set lines = jsonb_set(lines, '{0,taken}', '3') where id = $1`,
      `update orders set lines = jsonb_set(lines, '{0,taken}', '1') where id = $1`,
      [page.orderId],
      `order:${page.orderId}: holds 3 units of variant ${pot.variantId}, but its stock movements add up to -1`,
    ],
  ],
  [
    'a cancelled order whose payment was not refunded',
    async () => {
      const { orderId } = await buyAndPay();
      await cancel(orderId, { refund: false });
      expect(await findings()).toEqual([]);
      const mark = `jsonb_set(statuses, '{-1,refundsPayment}', 'true')`;
      return [
        `update orders set statuses = ${mark} where id = $1`,
        `update orders set statuses = statuses #- '{-1,refundsPayment}' where id = $1`,
        [orderId],
        `order:${orderId}: is CANCELLED, but 1673 is neither refunded nor part of a refund`,
      ];
    },
  ],
  [
    'a refund at the provider that is not recorded',
    async () => [
      `update sandbox_payments set refunds = '{"elsewhere": 100}' where id = $1`,
      `update sandbox_payments set refunds = '{}' where id = $1`,
      [sessionOf(page)],
      `order:${page.orderId}: refunded 0 here plus 0 pending, 100 at the provider (pay_${sessionOf(page)})`,
    ],
  ],
  [
    'a payment that does not exist at the provider',
    async () => [
      `update sandbox_payments set state = 'OPEN' where id = $1`,
      `update sandbox_payments set state = 'PAID' where id = $1`,
      [sessionOf(page)],
      `order:${page.orderId}: payment pay_${sessionOf(page)} does not exist at the provider`,
    ],
  ],
  [
    'a paid session that is not recorded',
    async () => {
      const open = await buy();
      return [
        `update sandbox_payments set state = 'PAID' where id = $1`,
        `update sandbox_payments set state = 'OPEN' where id = $1`,
        [sessionOf(open)],
        `order:${open.orderId}: paid at the provider, not recorded here (pay_${sessionOf(open)})`,
      ];
    },
  ],
  ['a refund that the provider has not confirmed within a day', async () => pendingRefund(null, 25 * 3600)],
  [
    'a refund that the provider has not settled within 14 days',
    async () => pendingRefund('re_late', 15 * 86_400),
  ],
  [
    'stock that differs from its ledger',
    async () => {
      const [row] = await t.db.sql<{ quantity: number }>('select quantity from variants where id = $1', [
        pot.variantId,
      ]);
      const quantity = row?.quantity ?? 0;
      return [
        'update variants set quantity = quantity + 3 where id = $1',
        'update variants set quantity = quantity - 3 where id = $1',
        [pot.variantId],
        `variant:${pot.variantId}: quantity ${quantity + 3} differs from ledger sum ${quantity}`,
      ];
    },
  ],
  [
    'a promo code with more uses than claims',
    async () => {
      const id = await addPromoCode(t, shop, { code: 'USED', type: 'FREE_SHIPPING' });
      return [
        'update promo_codes set uses = 2 where id = $1',
        'update promo_codes set uses = 0 where id = $1',
        [id],
        `promo-code:${id}: used 2 times, claimed by 0 orders`,
      ];
    },
  ],
];

it.each(discrepancies)('finds %s', async (_name, prepare) => {
  const [introduce, repair, params, finding] = await prepare();
  await t.db.write(introduce, params);
  expect(await findings()).toEqual([finding]);
  const command = runCommand();
  await expect(command).rejects.toThrow(OperatorError);
  await expect(command).rejects.toThrow('1 discrepancies found.');
  await t.db.write(repair, params);
  expect(await findings()).toEqual([]);
});

it('finds a promo code that a cancelled order still claims', async () => {
  const promo = await addPromoCode(t, shop, { code: 'HELD', type: 'FREE_SHIPPING' });
  const { body } = await t.rest<Page>('POST', `${shop.orders}/checkout`, {
    as: guest,
    body: { market: 'US', shippingMethodId: 'standard', promoCode: 'HELD', items: [{ ...pot, quantity: 1 }] },
  });
  await cancel(body.orderId);
  const claim = 'insert into promo_claims (order_id, promo_code_id, created_at) values ($1, $2, 0)';
  await t.db.write(claim, [body.orderId, promo]);
  await t.db.write('update promo_codes set uses = 1 where id = $1', [promo]);
  expect(await findings()).toEqual([`order:${body.orderId}: is cancelled but holds a promo code`]);
  await t.db.write('delete from promo_claims where order_id = $1', [body.orderId]);
  await t.db.write('update promo_codes set uses = 0 where id = $1', [promo]);
});

it('fails the stock job when stock and ledger differ', async () => {
  await auditStockJob.run(t.app.services, {});
  await t.db.write('update variants set quantity = quantity + 1 where id = $1', [pot.variantId]);
  await expect(auditStockJob.run(t.app.services, {})).rejects.toThrow('The stock of 1 variants');
  await t.db.write('update variants set quantity = quantity - 1 where id = $1', [pot.variantId]);
});
