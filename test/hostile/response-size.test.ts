/** Responses never exceed 2 MB, regardless of stored data and query. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Shop, type TestApp, testApp } from '../support/app.ts';

const maxBytes = 2 * 1024 * 1024;

let t: TestApp;
let shop: Shop;
let path: string;
let ids: string[];

const longTexts = (count: number, length: number, character = 'x') =>
  Array.from({ length: count }, (_item, index) => ({
    id: `b${index}`,
    type: 'TEXT',
    value: character.repeat(length),
  }));

beforeAll(async () => {
  t = await testApp();
  shop = await t.shop();
  path = `/v1/businesses/${shop.businessId}/products`;
  ids = [];
  for (const body of [
    { name: 'Long', blocks: longTexts(4, 190_000) },
    { name: 'Longer', blocks: longTexts(4, 199_000) },
    { name: 'Odd', blocks: longTexts(1, 150_000, '\u0001') },
    { name: 'Short' },
  ]) {
    const created = await t.rest<{ id: string }>('POST', path, { as: shop.admin, body });
    expect(created.status).toBe(200);
    ids.unshift(created.body.id);
  }
});

const aliases = (count: number, field: string) =>
  Array.from({ length: count }, (_item, index) => `a${index}: ${field}`).join(' ');

async function send(query: string, handlerParam: '' | '?lane=yoga', batch = false) {
  const body = { query };
  const response = await t.app.fetch(
    new Request(`http://duet.test/graphql${handlerParam}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${shop.admin.token}`,
        'x-request-id': 'same',
      },
      body: JSON.stringify(batch ? [body, body] : body),
    }),
  );
  return { status: response.status, text: await response.text() };
}

const tooLarge = {
  message: expect.stringContaining('would exceed 2097152 bytes'),
  extensions: {
    code: 'BAD_REQUEST',
    details: [{ field: '', error: 'ANSWER_TOO_LARGE', message: expect.any(String) }],
    requestId: 'same',
  },
};

describe.each(['', '?lane=yoga'] as const)('/graphql%s', (handlerParam) => {
  it('rejects responses that many aliases of long texts would fill, on every repetition', async () => {
    const [id] = ids.slice(-1);
    const product = `product(businessId: "${shop.businessId}", id: "${id}")`;
    const page = `products(businessId: "${shop.businessId}", first: 1, after: null)`;
    for (const query of [
      `{ ${product} { ${aliases(300, 'blocks { value }')} } }`,
      `{ ${aliases(30, `${product} { blocks { value } }`)} }`,
      `{ ${page.replace('first: 1', `first: 10, ids: ["${id}"]`)} { ${aliases(40, 'nodes { blocks { value } }')} } }`,
      // Each of these control characters takes six characters in JSON.
      `{ ${product.replace(id ?? '', ids[1] ?? '')} { ${aliases(3, 'blocks { value }')} } }`,
    ])
      for (let run = 0; run < 4; run += 1) {
        const { status, text } = await send(query, handlerParam);
        expect([status, JSON.parse(text).errors]).toEqual([400, [tooLarge]]);
      }
  });

  it('accepts a response below the limit', async () => {
    for (let run = 0; run < 4; run += 1) {
      const { status, text } = await send(
        `{ product(businessId: "${shop.businessId}", id: "${ids[3]}") { a: blocks { value } b: blocks { value } } }`,
        handlerParam,
      );
      expect([status, text.length]).toEqual([200, expect.toSatisfy((length) => length > 1_500_000)]);
    }
  });
});

it('applies the limit to a batch as a whole', async () => {
  const query = `{ product(businessId: "${shop.businessId}", id: "${ids[3]}") { a: blocks { value } b: blocks { value } } }`;
  const { text } = await send(query, '', true);
  expect(text.length).toBeLessThan(10_000);
  expect(text).toContain('ANSWER_TOO_LARGE');
});

it('reports that a mutation with too large a response may have been executed', async () => {
  const { text } = await send(
    `mutation { updateProduct(businessId: "${shop.businessId}", id: "${ids[3]}", input: { category: "made" }) { product { ${aliases(9, 'blocks { value }')} } } }`,
    '',
  );
  expect(JSON.parse(text).errors).toEqual([
    { ...tooLarge, message: expect.stringContaining('may have been executed') },
  ]);
  const after = await send(`{ product(businessId: "${shop.businessId}", id: "${ids[3]}") { category } }`, '');
  expect(after.text).toBe('{"data":{"product":{"category":"made"}}}');
});

it('shortens pages of long records without skipping any', async () => {
  for (const round of ['made', 'kept']) {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { status, body } = await t.rest<{ items: { id: string }[]; cursor: string | null }>(
        'GET',
        `${path}?limit=100${query}`,
        { as: shop.admin },
      );
      expect([round, status]).toEqual([round, 200]);
      expect(JSON.stringify(body).length).toBeLessThan(maxBytes);
      seen.push(...body.items.map(({ id }) => id));
      cursor = body.cursor;
    } while (cursor !== null);
    expect(seen).toEqual(ids);
    // Fills the record cache, so that the second round reads from it.
    for (const id of ids) await t.rest('GET', `${path}/${id}`, { as: shop.admin });
  }
});

it('rejects a change that would make a record too large to be read', async () => {
  const gallery = Array.from({ length: 100 }, (_item, index) => ({
    url: `https://cdn.example/${index}/${'x'.repeat(1900)}`,
    mimeType: 'image/png',
  }));
  const before = await t.rest<{ version: number }>('GET', `${path}/${ids[2]}`, { as: shop.admin });
  const rejection = await t.rest<{ details: object[] }>('PUT', `${path}/${ids[2]}`, {
    as: shop.admin,
    body: { gallery, description: 'x'.repeat(49_000) },
  });
  expect([rejection.status, rejection.body.details]).toEqual([
    422,
    [
      {
        field: '',
        error: 'RECORD_TOO_LARGE',
        message: 'The record would exceed 1000000 bytes.',
      },
    ],
  ]);
  const after = await t.rest('GET', `${path}/${ids[2]}`, { as: shop.admin });
  expect(after.body).toEqual(before.body);
});
