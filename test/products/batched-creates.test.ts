/** Products that are created in the same moment: one statement writes them, and nobody notices. */
import { beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let shop: Shop;
let other: Shop;
beforeAll(async () => {
  t = await testApp();
  [shop, other] = [await t.shop(), await t.shop()];
  // Who they are is known by then, so that they come to the database together.
  for (const { admin, businessId } of [shop, other]) await create(businessId, admin, { name: 'First' });
});

interface Answer {
  id: string;
  slug: string;
  details?: { field: string; error: string }[];
}

const create = (businessId: string, as: Person, body: object, requestId: string = newId()) =>
  t.rest<Answer>('POST', `/v1/businesses/${businessId}/products`, {
    as,
    body,
    headers: { 'x-request-id': requestId },
  });

/** All at once, and how many statements inserted them. */
async function atOnce(...asked: readonly (readonly [Shop, Person, object, string?])[]) {
  t.statements.length = 0;
  const made = await Promise.all(
    asked.map(([{ businessId }, as, body, requestId]) => create(businessId, as, body, requestId)),
  );
  const inserts = t.statements.filter((text) => /insert into products/i.test(text)).length;
  return { made, statuses: made.map(({ status }) => status), inserts };
}

const names = (count: number) => Array.from({ length: count }, () => `Lamp ${newId()}`);

it('are written by one statement, each whole and with its own request in the history', async () => {
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
  const { made, statuses, inserts } = await atOnce(
    ...bodies.map((body, index) => [shop, shop.admin, body, `request-${index}`] as const),
  );
  expect([statuses, inserts]).toEqual([[200, 200, 200, 200, 200], 1]);
  for (const [index, { body }] of made.entries()) {
    const { id, ...rest } = body;
    const at = `/v1/businesses/${shop.businessId}`;
    expect((await t.rest('GET', `${at}/products/${id}`, { as: shop.admin })).body).toEqual({ id, ...rest });
    expect(rest).toMatchObject({
      name: bodies[index]?.name,
      variants: [{ inventory: { quantity: 3 } }, { name: 'M' }],
    });
    const history = await t.rest<{ items: object[] }>('GET', `${at}/changes?recordId=${id}`, {
      as: shop.admin,
    });
    expect(history.body.items).toEqual([
      expect.objectContaining({ requestId: `request-${index}`, userId: shop.admin.userId, voice: 'REST' }),
    ]);
    const moved = await t.db.sql('select kind, change, balance from stock_movements where product_id = $1', [
      id,
    ]);
    expect(moved).toEqual([{ kind: 'INITIAL', change: 3, balance: 3 }]);
  }
});

it('share a statement with nobody else: not with another shop, another person or another voice', async () => {
  const member = await t.hire(shop, await t.person(), 'ADMIN');
  await create(shop.businessId, member, { name: 'First of theirs' });
  const [a, b, c] = names(3);
  const { made, statuses, inserts } = await atOnce(
    [shop, shop.admin, { name: a }],
    [shop, member, { name: b }],
    [other, other.admin, { name: c }],
  );
  expect([statuses, inserts]).toEqual([[200, 200, 200], 3]);
  const authors = await t.db.sql<{ record: string; user: string }>(
    'select record_id as record, user_id as user from changes where record_id = any($1)',
    [made.map(({ body }) => body.id)],
  );
  const by = new Map(authors.map(({ record, user }) => [record, user]));
  expect(made.map(({ body }) => by.get(body.id))).toEqual([
    shop.admin.userId,
    member.userId,
    other.admin.userId,
  ]);
});

it('are refused alone', async () => {
  const [sku, slug] = [newId(), newId()];
  await create(shop.businessId, shop.admin, { name: 'Holder', slug, variants: [{ sku }] });
  const [a, b, c, d] = names(4);
  const { made, statuses } = await atOnce(
    [shop, shop.admin, { name: a, variants: [{ sku: newId() }] }],
    [shop, shop.admin, { name: b, variants: [{ sku }] }],
    [shop, shop.admin, { name: c, slug }],
    [shop, shop.admin, { name: d }],
  );
  expect(statuses).toEqual([200, 422, 422, 200]);
  expect(made.map(({ body }) => body.details?.map(({ field, error }) => [field, error]))).toEqual([
    undefined,
    [['variants.0.sku', 'SKU_TAKEN']],
    [['slug', 'SLUG_TAKEN']],
    undefined,
  ]);
  const listed = await t.db.sql<{ name: string; variants: number }>(
    `select p.name, count(v.id)::int as variants from products p left join variants v on v.product_id = p.id
     where p.name = any($1) group by p.id order by p.id`,
    [[a, b, c, d]],
  );
  expect(listed.sort((x, y) => y.variants - x.variants)).toEqual([
    { name: a, variants: 1 },
    { name: d, variants: 0 },
  ]);
});

it('get slugs of their own, however many have the same name; one of those who insist on it', async () => {
  const name = `Twin ${newId()}`;
  const { made } = await atOnce(...Array.from({ length: 6 }, () => [shop, shop.admin, { name }] as const));
  const base = name.toLowerCase().replace(' ', '-');
  expect(made.map(({ body }) => body.slug).sort()).toEqual([
    base,
    ...[2, 3, 4, 5, 6].map((n) => `${base}-${n}`),
  ]);
  const slug = newId();
  const insisting = await atOnce(
    ...names(4).map((each) => [shop, shop.admin, { name: each, slug }] as const),
  );
  expect(insisting.statuses.sort()).toEqual([200, 422, 422, 422]);
});
