/** How much one request can make the gateway say: never more than 2 MB, whatever is stored and however it is asked for. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Shop, type TestApp, testApp } from '../support/app.ts';

const maxBytes = 2 * 1024 * 1024;

let t: TestApp;
let shop: Shop;
let path: string;
let ids: string[];

const longTexts = (count: number, length: number, sign = 'x') =>
  Array.from({ length: count }, (_item, index) => ({
    id: `b${index}`,
    type: 'TEXT',
    value: sign.repeat(length),
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

async function ask(query: string, lane: '' | '?lane=yoga', batch = false) {
  const body = { query };
  const response = await t.app.fetch(
    new Request(`http://duet.test/graphql${lane}`, {
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
  message: expect.stringContaining('more than 2097152 bytes'),
  extensions: {
    code: 'BAD_REQUEST',
    details: [{ field: '', error: 'ANSWER_TOO_LARGE', message: expect.any(String) }],
    requestId: 'same',
  },
};

describe.each(['', '?lane=yoga'] as const)('/graphql%s', (lane) => {
  it('refuses an answer that long texts under many aliases would fill, however often it is asked', async () => {
    const [id] = ids.slice(-1);
    const one = `product(businessId: "${shop.businessId}", id: "${id}")`;
    const page = `products(businessId: "${shop.businessId}", first: 1, after: null)`;
    for (const query of [
      `{ ${one} { ${aliases(300, 'blocks { value }')} } }`,
      `{ ${aliases(30, `${one} { blocks { value } }`)} }`,
      `{ ${page.replace('first: 1', `first: 10, ids: ["${id}"]`)} { ${aliases(40, 'nodes { blocks { value } }')} } }`,
      // Each of these signs takes six in JSON.
      `{ ${one.replace(id ?? '', ids[1] ?? '')} { ${aliases(3, 'blocks { value }')} } }`,
    ])
      for (let run = 0; run < 4; run += 1) {
        const { status, text } = await ask(query, lane);
        expect([status, JSON.parse(text).errors]).toEqual([400, [tooLarge]]);
      }
  });

  it('still answers what fits', async () => {
    for (let run = 0; run < 4; run += 1) {
      const { status, text } = await ask(
        `{ product(businessId: "${shop.businessId}", id: "${ids[3]}") { a: blocks { value } b: blocks { value } } }`,
        lane,
      );
      expect([status, text.length]).toEqual([200, expect.toSatisfy((length) => length > 1_500_000)]);
    }
  });
});

it('counts a batch as one answer', async () => {
  const query = `{ product(businessId: "${shop.businessId}", id: "${ids[3]}") { a: blocks { value } b: blocks { value } } }`;
  const { text } = await ask(query, '', true);
  expect(text.length).toBeLessThan(10_000);
  expect(text).toContain('ANSWER_TOO_LARGE');
});

it('says of a change whose answer is too large that it may have been made', async () => {
  const { text } = await ask(
    `mutation { updateProduct(businessId: "${shop.businessId}", id: "${ids[3]}", input: { category: "made" }) { product { ${aliases(9, 'blocks { value }')} } } }`,
    '',
  );
  expect(JSON.parse(text).errors).toEqual([
    { ...tooLarge, message: expect.stringContaining('may have been made') },
  ]);
  const after = await ask(`{ product(businessId: "${shop.businessId}", id: "${ids[3]}") { category } }`, '');
  expect(after.text).toBe('{"data":{"product":{"category":"made"}}}');
});

it('ends pages of long records early, and leaves nothing out', async () => {
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
    // From here on this process has all of them at hand.
    for (const id of ids) await t.rest('GET', `${path}/${id}`, { as: shop.admin });
  }
});

it('keeps a record small enough to be read, however often it is changed', async () => {
  const gallery = Array.from({ length: 100 }, (_item, index) => ({
    url: `https://cdn.example/${index}/${'x'.repeat(1900)}`,
    mimeType: 'image/png',
  }));
  const before = await t.rest<{ version: number }>('GET', `${path}/${ids[2]}`, { as: shop.admin });
  const refused = await t.rest<{ details: object[] }>('PUT', `${path}/${ids[2]}`, {
    as: shop.admin,
    body: { gallery, description: 'x'.repeat(49_000) },
  });
  expect([refused.status, refused.body.details]).toEqual([
    422,
    [
      {
        field: '',
        error: 'RECORD_TOO_LARGE',
        message: 'The record would have more than 1000000 bytes.',
      },
    ],
  ]);
  const after = await t.rest('GET', `${path}/${ids[2]}`, { as: shop.admin });
  expect(after.body).toEqual(before.body);
});
