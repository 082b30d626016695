/** `duet order-numbers skip`: the next orders of one business, or of all, get later numbers, and the audit accepts the gap. */
import '../support/on-pglite.ts';
import { beforeAll, expect, it } from 'vitest';
import { UsageError } from '../../src/cli/command-types-and-usage-error.ts';
import { orderNumbersCommand } from '../../src/cli/commands/order-numbers-skip.ts';
import { readConfig } from '../../src/config.ts';
import { newId } from '../../src/lib/ids.ts';
import { OperatorError } from '../../src/lib/operator-errors.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { auditFindings } from '../support/consistency-audit.ts';
import { addProduct, createSellingShop, type SellingShop } from '../support/shop-fixtures.ts';

let t: TestApp;
let shop: SellingShop;
let other: SellingShop;
beforeAll(async () => {
  t = await testApp();
  [shop, other] = [await createSellingShop(t), await createSellingShop(t)];
});

async function run(...args: string[]): Promise<string> {
  const output: string[] = [];
  const context = {
    config: readConfig({}),
    db: t.db,
    cwd: '.',
    write: (text: string) => void output.push(text),
  };
  await orderNumbersCommand(context, args);
  return output.join('');
}

/** Number of a new order, created by REST and read in GraphQL. */
async function orderNumber(at: SellingShop): Promise<number> {
  const product = await addProduct(t, at);
  const created = await t.rest<{ id: string; number: number }>('POST', at.orders, {
    as: at.admin,
    body: { market: 'US', lines: [{ ...product, quantity: 1 }] },
  });
  const { data } = await t.graphql(
    'query ($b: ID!, $id: ID!) { order(businessId: $b, id: $id) { number } }',
    { b: at.businessId, id: created.body.id },
    { as: at.admin },
  );
  expect(data).toEqual({ order: { number: created.body.number } });
  return created.body.number;
}

it('skips numbers of one business', async () => {
  expect(await orderNumber(shop)).toBe(1001);
  expect(await run('skip', '10', '--business', shop.businessId)).toBe(
    `${shop.businessId}: the next order is 1012\n`,
  );
  expect([await orderNumber(shop), await orderNumber(other)]).toEqual([1012, 1001]);
  expect(await auditFindings(t.app.services)).toEqual([]);
});

it('skips numbers of all businesses, also of those without orders and those with freed numbers', async () => {
  const empty = await createSellingShop(t);
  // An order that the payment provider did not accept was rolled back.
  await t.db.write(
    `with deleted as (delete from orders where business_id = $1 and number = 1012 returning number)
     update order_numbers n set freed = array_append(n.freed, deleted.number) from deleted where n.business_id = $1`,
    [shop.businessId],
  );
  const { skipped, businesses } = JSON.parse(await run('skip', '100', '--json'));
  expect(skipped).toBe(100);
  expect(businesses).toEqual(
    expect.arrayContaining([
      { businessId: shop.businessId, next: 1113 },
      { businessId: other.businessId, next: 1102 },
      { businessId: empty.businessId, next: 1101 },
    ]),
  );
  expect([await orderNumber(shop), await orderNumber(other), await orderNumber(empty)]).toEqual([
    1113, 1102, 1101,
  ]);
  expect([await orderNumber(shop), await orderNumber(empty)]).toEqual([1114, 1102]);
  expect(await auditFindings(t.app.services)).toEqual([]);
});

it('rejects invalid arguments and unknown businesses', async () => {
  const invalid = [
    [],
    ['skip'],
    ['show', '1'],
    ['skip', '0'],
    ['skip', '1.5'],
    ['skip', '1e3'],
    ['skip', '1000001'],
    ['skip', '1', '--business', 'all'],
    ['skip', '1', '2'],
  ];
  for (const args of invalid) expect(() => orderNumbersCommand.checkArgs?.(args)).toThrow(UsageError);
  await expect(run('skip', '1', '--business', newId())).rejects.toThrow(OperatorError);
  expect(await orderNumber(other)).toBe(1103);
});
