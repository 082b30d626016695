/** The programs of this example against a gateway with the demo shop at DUET_URL. The same before and after `duet-migrate`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buy, listOrders, signInAsGuest } from '../src/orders';
import { findProduct, listCheapest, renameProduct, signIn } from '../src/stock';

const admin = { email: 'admin@demo.example', password: 'duet-demo-password' };

test('reads products', async () => {
  const token = await signIn(admin.email, admin.password);
  assert.equal((await listCheapest(token, 3)).length, 3);
});

test('reports a wrong password', async () => {
  await assert.rejects(signIn(admin.email, 'wrong'), /^Error: 422 VALIDATION_FAILED$/);
});

test('renames a product of the expected version', async () => {
  const token = await signIn(admin.email, admin.password);
  const product = await findProduct(token, '01900000-0000-7003-8000-00000000000b');
  assert.ok(product);
  const renamed = await renameProduct(token, product, `${product.name} II`);
  assert.ok(typeof renamed === 'object');
  assert.deepEqual([renamed.name, renamed.version], [`${product.name} II`, product.version + 1]);
  assert.equal(await renameProduct(token, product, 'Another'), 'PRECONDITION_FAILED');
  assert.ok(typeof (await renameProduct(token, renamed, product.name)) === 'object');
});

test('finds no product with an unknown id', async () => {
  const token = await signIn(admin.email, admin.password);
  assert.equal(await findProduct(token, '01900000-0000-7000-8000-0000000000ff'), undefined);
});

test('buys a product, and lists the order', async () => {
  const guest = await signInAsGuest();
  assert.ok('orderId' in (await buy(guest, 1)));
  assert.deepEqual(await buy(guest, 1_000_000), { code: 'VALIDATION_FAILED' });
  const orders = await listOrders(await signIn(admin.email, admin.password));
  assert.equal(orders.length, 3);
  assert.match(orders[0] ?? '', /^\d+: \d+ USD$/);
});
