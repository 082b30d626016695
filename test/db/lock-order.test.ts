/** Lock order of transactions: products, then promo code, then order number. */
import { expect, it } from 'vitest';
import { lockPromoCode } from '../../src/domains/businesses/promo-codes/promo-claims.ts';
import { lockProducts } from '../../src/domains/products/stock/move-stock.ts';
import { newId } from '../../src/lib/ids.ts';
import { testDb } from '../support/database.ts';
import { checkStatementLockOrder, LockOrderError } from '../support/lock-order.ts';

const db = await testDb();
const [businessId, id] = [newId(), newId()];

it('lets a transaction lock products, then a promo code, then products again', async () => {
  await db.transaction(async (tx) => {
    await lockProducts(tx, businessId, [id]);
    await lockPromoCode(tx, id);
    await lockProducts(tx, businessId, [id]);
  });
});

it('rejects a transaction that locks a promo code before products', async () => {
  const reversed = db.transaction(async (tx) => {
    await lockPromoCode(tx, id);
    await lockProducts(tx, businessId, [id]);
  });
  await expect(reversed).rejects.toThrow(LockOrderError);
});

it('rejects a transaction that locks a promo code after the order number', async () => {
  const reversed = db.transaction(async (tx) => {
    await tx.write('update order_numbers set freed = freed where business_id = $1', [businessId]);
    await lockPromoCode(tx, id);
  });
  await expect(reversed).rejects.toThrow(/promo code after order number/);
});

it('checks each transaction on its own', async () => {
  await db.transaction((tx) => lockPromoCode(tx, id));
  await db.transaction((tx) => lockProducts(tx, businessId, [id]));
});

it('rejects a statement that locks products after the order number', () => {
  const lock = 'locked as (select id from products where business_id = $1 for update)';
  const insert = 'placed as (insert into orders (business_id) select $1 returning number)';
  expect(() => checkStatementLockOrder(`with ${lock}, ${insert} select 1`)).not.toThrow();
  expect(() => checkStatementLockOrder(`with ${insert}, ${lock} select 1`)).toThrow(LockOrderError);
});
