/** The auditor: silent while the books balance, and loud about every way in which they do not. */
import { beforeEach, expect, it } from 'vitest';
import { auditCommand } from '../../src/cli/commands/audit.ts';
import { checkStockJob } from '../../src/domains/products/stock/audit-stock.ts';
import { OperatorError } from '../../src/lib/operator-errors.ts';
import { findingsOf } from '../support/audit.ts';
import { addPromo } from '../support/selling.ts';
import { actOnPage, buy, cancel, guest, type Page, pot, refund, sessionOf, shop, t } from './setup.ts';

let page: Page;
beforeEach(async () => {
  page = await buy();
  await actOnPage(page, 'pay');
});

const findings = () => findingsOf(t.app.services);

async function runCommand(): Promise<string> {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  await auditCommand({ config: t.app.services.config, db: t.db, cwd: '.', write }, []);
  return written;
}

it('finds nothing after payments, refunds and cancellations, and says so', async () => {
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

/** Breaks something, and what the auditor says of it; then it is mended again. */
const faults: [string, () => Promise<[broken: string, mended: string, params: unknown[], said: string]>][] = [
  [
    'an order that says it took more than its payments',
    async () => [
      'update orders set captured = captured + 1 where id = $1',
      'update orders set captured = captured - 1 where id = $1',
      [page.orderId],
      `order:${page.orderId}: captured 1674, its payments make 1673`,
    ],
  ],
  [
    'an order that does not add up',
    async () => [
      'update orders set total = total + 1, subtotal = subtotal + 1 where id = $1',
      'update orders set total = total - 1, subtotal = subtotal - 1 where id = $1',
      [page.orderId],
      `order:${page.orderId}: subtotal 1001, its lines make 1000`,
    ],
  ],
  [
    'an order that says more went back',
    async () => [
      'update orders set refunded = 5 where id = $1',
      'update orders set refunded = 0 where id = $1',
      [page.orderId],
      `order:${page.orderId}: refunded 5, its payments make 0`,
    ],
  ],
  [
    'money that the provider gave back and nobody told us',
    async () => [
      `update sandbox_payments set refunds = '{"elsewhere": 100}' where id = $1`,
      `update sandbox_payments set refunds = '{}' where id = $1`,
      [sessionOf(page)],
      `order:${page.orderId}: refunded 0 here and 0 on its way, 100 at the provider (pay_${sessionOf(page)})`,
    ],
  ],
  [
    'a payment that the provider does not know',
    async () => [
      `update sandbox_payments set state = 'OPEN' where id = $1`,
      `update sandbox_payments set state = 'PAID' where id = $1`,
      [sessionOf(page)],
      `order:${page.orderId}: the provider knows no payment pay_${sessionOf(page)}`,
    ],
  ],
  [
    'a page that was paid without our knowing',
    async () => {
      const open = await buy();
      return [
        `update sandbox_payments set state = 'PAID' where id = $1`,
        `update sandbox_payments set state = 'OPEN' where id = $1`,
        [sessionOf(open)],
        `order:${open.orderId}: paid at the provider, not here (pay_${sessionOf(open)})`,
      ];
    },
  ],
  [
    'stock that no ledger explains',
    async () => {
      const [row] = await t.db.sql<{ quantity: number }>('select quantity from variants where id = $1', [
        pot.variantId,
      ]);
      const left = row?.quantity ?? 0;
      return [
        'update variants set quantity = quantity + 3 where id = $1',
        'update variants set quantity = quantity - 3 where id = $1',
        [pot.variantId],
        `variant:${pot.variantId}: ${left + 3} in stock, ${left} by its ledger`,
      ];
    },
  ],
  [
    'a promo code with uses that nobody claimed',
    async () => {
      const id = await addPromo(t, shop, { code: 'USED', type: 'FREE_SHIPPING' });
      return [
        'update promo_codes set uses = 2 where id = $1',
        'update promo_codes set uses = 0 where id = $1',
        [id],
        `promo-code:${id}: used 2 times, claimed by 0 orders`,
      ];
    },
  ],
];

it.each(faults)('finds %s', async (_name, fault) => {
  const [broken, mended, params, said] = await fault();
  await t.db.sql(broken, params);
  expect(await findings()).toEqual([said]);
  const command = runCommand();
  await expect(command).rejects.toThrow(OperatorError);
  await expect(command).rejects.toThrow('1 things do not balance.');
  await t.db.sql(mended, params);
  expect(await findings()).toEqual([]);
});

it('finds a promo code that a cancelled order still holds', async () => {
  const promo = await addPromo(t, shop, { code: 'HELD', type: 'FREE_SHIPPING' });
  const { body } = await t.rest<Page>('POST', `${shop.orders}/checkout`, {
    as: guest,
    body: { market: 'US', shippingMethodId: 'standard', promoCode: 'HELD', items: [{ ...pot, quantity: 1 }] },
  });
  await cancel(body.orderId);
  const claim = 'insert into promo_claims (order_id, promo_code_id, created_at) values ($1, $2, 0)';
  await t.db.sql(claim, [body.orderId, promo]);
  await t.db.sql('update promo_codes set uses = 1 where id = $1', [promo]);
  expect(await findings()).toEqual([`order:${body.orderId}: is cancelled and holds a promo code`]);
  await t.db.sql('delete from promo_claims where order_id = $1', [body.orderId]);
  await t.db.sql('update promo_codes set uses = 0 where id = $1', [promo]);
});

it('has a job that fails when stock and ledger differ, for operators to see', async () => {
  await checkStockJob.run(t.app.services, {});
  await t.db.sql('update variants set quantity = quantity + 1 where id = $1', [pot.variantId]);
  await expect(checkStockJob.run(t.app.services, {})).rejects.toThrow('The stock of 1 variants');
  await t.db.sql('update variants set quantity = quantity - 1 where id = $1', [pot.variantId]);
});
