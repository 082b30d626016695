/** Concurrent product creation: creates of the same tick are batched into one statement without a visible difference. */
import { beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let shop: Shop;
let other: Shop;
beforeAll(async () => {
  t = await testApp();
  [shop, other] = [await t.shop(), await t.shop()];
  // Warms up authentication, so that the creates of a test reach the database in the same tick.
  for (const { admin, businessId } of [shop, other]) await create(businessId, admin, { name: 'First' });
});

interface CreateResponse {
  id: string;
  slug: string;
  details?: { field: string; error: string }[];
}

const create = (businessId: string, as: Person, body: object, requestId: string = newId()) =>
  t.rest<CreateResponse>('POST', `/v1/businesses/${businessId}/products`, {
    as,
    body,
    headers: { 'x-request-id': requestId },
  });

/** Sends all creates concurrently; `inserts` is the number of insert statements. */
async function createConcurrently(...requests: readonly (readonly [Shop, Person, object, string?])[]) {
  t.statements.length = 0;
  const responses = await Promise.all(
    requests.map(([{ businessId }, as, body, requestId]) => create(businessId, as, body, requestId)),
  );
  const inserts = t.statements.filter((text) => /insert into products/i.test(text)).length;
  return { responses, statuses: responses.map(({ status }) => status), inserts };
}

const names = (count: number) => Array.from({ length: count }, () => `Lamp ${newId()}`);

it('inserts concurrent products with one statement, each complete and audited with its own request id', async () => {
  const bodies = names(5).map((name) => ({
    name,
    variants: [
      {
        name: 'S',
        sku: newId(),
        pricing: { markets: [{ marketId: 'US', currency: 'USD', price: 5 }] },
        inventory: { tracked: true, quantity: 3 },
      },
      { name: 'M', sku: newId() },
    ],
  }));
  const { responses, statuses, inserts } = await createConcurrently(
    ...bodies.map((body, index) => [shop, shop.admin, body, `request-${index}`] as const),
  );
  expect([statuses, inserts]).toEqual([[200, 200, 200, 200, 200], 1]);
  for (const [index, { body }] of responses.entries()) {
    const { id, ...created } = body;
    const businessPath = `/v1/businesses/${shop.businessId}`;
    expect((await t.rest('GET', `${businessPath}/products/${id}`, { as: shop.admin })).body).toEqual({
      id,
      ...created,
    });
    expect(created).toMatchObject({
      name: bodies[index]?.name,
      variants: [{ inventory: { quantity: 3 } }, { name: 'M' }],
    });
    const history = await t.rest<{ items: object[] }>('GET', `${businessPath}/changes?recordId=${id}`, {
      as: shop.admin,
    });
    expect(history.body.items).toEqual([
      expect.objectContaining({ requestId: `request-${index}`, userId: shop.admin.userId, voice: 'REST' }),
    ]);
    const movements = await t.db.sql(
      'select kind, change, balance from stock_movements where product_id = $1',
      [id],
    );
    expect(movements).toEqual([{ kind: 'INITIAL', change: 3, balance: 3 }]);
  }
});

it('does not batch creates of different shops or users into one statement', async () => {
  const member = await t.addMember(shop, await t.person(), 'ADMIN');
  await create(shop.businessId, member, { name: 'First of the member' });
  const [a, b, c] = names(3);
  const { responses, statuses, inserts } = await createConcurrently(
    [shop, shop.admin, { name: a }],
    [shop, member, { name: b }],
    [other, other.admin, { name: c }],
  );
  expect([statuses, inserts]).toEqual([[200, 200, 200], 3]);
  const authors = await t.db.sql<{ record: string; user: string }>(
    'select record_id as record, user_id as user from changes where record_id = any($1)',
    [responses.map(({ body }) => body.id)],
  );
  const authorById = new Map(authors.map(({ record, user }) => [record, user]));
  expect(responses.map(({ body }) => authorById.get(body.id))).toEqual([
    shop.admin.userId,
    member.userId,
    other.admin.userId,
  ]);
});

it('rejects only the invalid products of a batch', async () => {
  const [sku, slug] = [newId(), newId()];
  await create(shop.businessId, shop.admin, { name: 'Holder', slug, variants: [{ sku }] });
  const [a, b, c, d] = names(4);
  const { responses, statuses } = await createConcurrently(
    [shop, shop.admin, { name: a, variants: [{ sku: newId() }] }],
    [shop, shop.admin, { name: b, variants: [{ sku }] }],
    [shop, shop.admin, { name: c, slug }],
    [shop, shop.admin, { name: d }],
  );
  expect(statuses).toEqual([200, 422, 422, 200]);
  expect(responses.map(({ body }) => body.details?.map(({ field, error }) => [field, error]))).toEqual([
    undefined,
    [['variants.0.sku', 'SKU_TAKEN']],
    [['slug', 'SLUG_TAKEN']],
    undefined,
  ]);
  const insertedRows = await t.db.sql<{ name: string; variants: number }>(
    `select p.name, count(v.id)::int as variants from products p left join variants v on v.product_id = p.id
     where p.name = any($1) group by p.id order by p.id`,
    [[a, b, c, d]],
  );
  expect(insertedRows.sort((x, y) => y.variants - x.variants)).toEqual([
    { name: a, variants: 1 },
    { name: d, variants: 0 },
  ]);
});

it('gives products with the same name distinct slugs, and accepts a requested slug once', async () => {
  const name = `Twin ${newId()}`;
  const { responses } = await createConcurrently(
    ...Array.from({ length: 6 }, () => [shop, shop.admin, { name }] as const),
  );
  const base = name.toLowerCase().replace(' ', '-');
  expect(responses.map(({ body }) => body.slug).sort()).toEqual([
    base,
    ...[2, 3, 4, 5, 6].map((n) => `${base}-${n}`),
  ]);
  const slug = newId();
  const withSameSlug = await createConcurrently(
    ...names(4).map((productName) => [shop, shop.admin, { name: productName, slug }] as const),
  );
  expect(withSameSlug.statuses.sort()).toEqual([200, 422, 422, 422]);
});
