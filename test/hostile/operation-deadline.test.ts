/** An operation beyond its deadline is 503 TIMEOUT in both protocols; its statements are cancelled and nothing is changed. */
import { beforeAll, expect, it } from 'vitest';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { onPostgres } from '../support/database.ts';
import { lockTables } from '../support/locked-tables.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await testApp({ OPERATION_TIMEOUT: '400ms' });
  shop = await t.shop();
});

const update =
  'mutation($id: ID!, $input: UpdateBusinessInput!) { updateBusiness(id: $id, input: $input) { business { name } } }';
const list = 'query($b: ID!) { products(businessId: $b) { nodes { id } } }';
const timeoutError = { code: 'TIMEOUT', details: [], requestId: expect.any(String) };

it('responds with TIMEOUT in both protocols and leaves the record unchanged', async () => {
  const path = `/v1/businesses/${shop.businessId}`;
  const as = shop.admin;
  // Warm-up, so that compilation does not count towards the deadline.
  const before = await t.rest('GET', path, { as });
  for (let run = 0; run < 4; run += 1) await t.graphql(list, { b: shop.businessId }, { as });
  const lockedTables = await lockTables(t.db, 'businesses, products');
  try {
    const [put, changed] = await Promise.all([
      t.rest('PUT', path, { as, body: { name: 'Late' } }),
      t.graphql(update, { id: shop.businessId, input: { name: 'Late' } }, { as }),
    ]);
    expect([put.status, put.body.error]).toEqual([503, 'TIMEOUT']);
    expect([changed.status, changed.data, changed.errors[0]?.extensions]).toEqual([
      503,
      undefined,
      timeoutError,
    ]);
    if (onPostgres)
      await expect
        .poll(() =>
          lockedTables.tx.sql(
            `select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          ),
        )
        .toEqual([]);
    for (const headers of [{}, { accept: 'application/json, text/event-stream' }]) {
      const read = await t.graphql(list, { b: shop.businessId }, { as, headers });
      expect([read.status, read.errors[0]?.extensions]).toEqual([503, timeoutError]);
    }
    const read = await t.rest('GET', `${path}/products`, { as });
    expect([read.status, read.body.error]).toEqual([503, 'TIMEOUT']);
  } finally {
    await lockedTables.release();
  }
  expect((await t.rest('GET', path, { as })).body).toEqual(before.body);
  expect((await t.rest('PUT', path, { as, body: { name: 'In time' } })).status).toBe(200);
});
