/** Audit: no findings while all records are consistent, one finding for each kind of discrepancy. */
import { beforeEach, expect, it } from 'vitest';
import { auditCommand } from '../../src/cli/commands/audit.ts';
import { auditStockJob } from '../../src/domains/products/stock/audit-stock.ts';
import { OperatorError } from '../../src/lib/operator-errors.ts';
import { auditFindings } from '../support/consistency-audit.ts';
import { addPromoCode } from '../support/shop-fixtures.ts';
import { actOnPage, buy, cancel, guest, type Page, pot, refund, sessionOf, shop, t } from './setup.ts';

let page: Page;
beforeEach(async () => {
  page = await buy();
  await actOnPage(page, 'pay');
});

const findings = () => auditFindings(t.app.services);

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
  expect(await findings()).toEqual([]);
  expect(await runCommand()).toMatch(/^The books balance: \d+ payment pages/);
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
  await t.db.sql(introduce, params);
  expect(await findings()).toEqual([finding]);
  const command = runCommand();
  await expect(command).rejects.toThrow(OperatorError);
  await expect(command).rejects.toThrow('1 discrepancies found.');
  await t.db.sql(repair, params);
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
  await t.db.sql(claim, [body.orderId, promo]);
  await t.db.sql('update promo_codes set uses = 1 where id = $1', [promo]);
  expect(await findings()).toEqual([`order:${body.orderId}: is cancelled but holds a promo code`]);
  await t.db.sql('delete from promo_claims where order_id = $1', [body.orderId]);
  await t.db.sql('update promo_codes set uses = 0 where id = $1', [promo]);
});

it('fails the stock job when stock and ledger differ', async () => {
  await auditStockJob.run(t.app.services, {});
  await t.db.sql('update variants set quantity = quantity + 1 where id = $1', [pot.variantId]);
  await expect(auditStockJob.run(t.app.services, {})).rejects.toThrow('The stock of 1 variants');
  await t.db.sql('update variants set quantity = quantity - 1 where id = $1', [pot.variantId]);
});
