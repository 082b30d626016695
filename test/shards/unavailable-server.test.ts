/** One of two database servers is down: its businesses are unavailable, and all others go on. */
import { afterAll, expect, it } from 'vitest';
import type { Db } from '../../src/db/handles.ts';
import { migrate } from '../../src/db/migrations/apply-and-list-migrations.ts';
import { openDb } from '../../src/db/open-db.ts';
import type { Person } from '../support/app.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { createTwoSides, placeOrder } from './setup.ts';

let second: Db | undefined;
afterAll(() => second?.close());

it('serves the businesses of the other servers, and accounts, while a server is down', async () => {
  const server = await startPostgresServer();
  second = await openDb({ url: server.url });
  await migrate(second);
  const { onHome, onSecond } = await createTwoSides(second);
  const ada = await onHome.t.person({ name: 'Ada' });
  const { t } = onHome;
  const order = await placeOrder(onHome, ada);
  const orderOnSecond = await placeOrder(onSecond, ada);
  const status = async (path: string, as: Person) => (await t.rest('GET', path, { as })).status;
  const nodeOf = async (id: string) => {
    const { data, errors } = await t.graphql(
      'query N($id: ID!) { node(id: $id) { id } }',
      { id },
      { as: ada },
    );
    return errors.length === 0 ? data : errors.map(({ extensions }) => extensions.code);
  };
  const paths = [
    `/v1/businesses/${onHome.shop.businessId}/products`,
    `/v1/businesses/${onSecond.shop.businessId}/products`,
    `/v1/businesses/shop-${onHome.shop.businessId}`,
    `/v1/businesses/shop-${onSecond.shop.businessId}`,
    '/v1/users/me/sessions',
    '/v1/users/me/orders',
  ];
  const statuses = () => Promise.all(paths.map((path) => status(path, ada)));
  expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200]);
  await server.stop();
  await expect.poll(statuses).toEqual([200, 503, 200, 503, 200, 503]);
  expect(await nodeOf(order)).toEqual({ node: { id: order } });
  expect(await nodeOf(orderOnSecond)).toEqual(['UNAVAILABLE']);
  expect(await placeOrder(onHome, ada)).toEqual(expect.any(String));
  await server.start();
  await expect.poll(statuses).toEqual([200, 200, 200, 200, 200, 200]);
});
