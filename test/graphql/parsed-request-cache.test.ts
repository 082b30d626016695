/** Request memo: repeated requests reuse the parsed request, but nothing that depends on viewer or time. */
import { beforeAll, describe, expect, it } from 'vitest';
import { freezeForMemoization, memoizeOnArguments } from '../../src/lib/cache/hidden-property.ts';
import { createParsedRequestCache } from '../../src/lib/cache/named-lru.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let shop: Shop;
let other: Shop;
let guest: Person;

beforeAll(async () => {
  t = await testApp();
  [shop, other, guest] = await Promise.all([t.shop(), t.shop(), t.guest()]);
  for (const status of ['ACTIVE', 'DRAFT'])
    await t.rest('POST', `/v1/businesses/${shop.businessId}/products`, {
      as: shop.admin,
      body: { name: status, slug: status.toLowerCase(), statuses: [{ id: '1', status }] },
    });
});

const list = `query Listed($b: ID!, $first: Int, $filter: ProductFilter) {
  products(businessId: $b, first: $first, filter: $filter) { nodes { name version } pageInfo { hasNextPage } }
}`;

async function fetchList(as: Person, query: string, variables: object): Promise<unknown> {
  const response = await t.app.fetch(
    new Request('http://localhost/graphql', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${as.token}`,
        'content-type': 'application/json',
        'x-request-id': 'one',
      },
      body: JSON.stringify({ query, variables }),
    }),
  );
  return response.json();
}

/** The same list in REST. */
async function namesFor(as: Person): Promise<string[]> {
  const { body } = await t.rest<{ items: { name: string }[] }>(
    'GET',
    `/v1/businesses/${shop.businessId}/products?limit=5`,
    { as },
  );
  return body.items.map(({ name }) => name);
}

const listed = (...nodes: [string, number][]) => ({
  data: {
    products: {
      nodes: nodes.map(([name, version]) => ({ name, version })),
      pageInfo: { hasNextPage: false },
    },
  },
});

describe('a repeated request', () => {
  it('returns to each viewer the products that it may see', async () => {
    const variables = { b: shop.businessId };
    for (let round = 0; round < 6; round += 1) {
      expect(await fetchList(shop.admin, list, variables)).toEqual(listed(['DRAFT', 1], ['ACTIVE', 1]));
      expect(await fetchList(guest, list, variables)).toEqual(listed(['ACTIVE', 1]));
      expect(await fetchList(other.admin, list, variables)).toEqual(listed(['ACTIVE', 1]));
      expect(await namesFor(shop.admin)).toEqual(['DRAFT', 'ACTIVE']);
      expect(await namesFor(guest)).toEqual(['ACTIVE']);
    }
  });

  it('returns the current version', async () => {
    const variables = { b: shop.businessId, first: 5 };
    for (let version = 1; version < 7; version += 1) {
      expect(await fetchList(guest, list, variables)).toEqual(listed(['ACTIVE', version]));
      await t.rest('PUT', `/v1/businesses/${shop.businessId}/products/active`, {
        as: shop.admin,
        body: { description: `now ${version}` },
      });
    }
  });

  it('returns the same validation errors', async () => {
    const tooSmall = { b: shop.businessId, first: 0 };
    const unknown = { b: shop.businessId, first: 'two' };
    const [smallError, typeError] = [
      await fetchList(guest, list, tooSmall),
      await fetchList(guest, list, unknown),
    ];
    expect(smallError).toMatchObject({
      errors: [{ extensions: { details: [{ field: 'first', error: 'TOO_SMALL' }] } }],
    });
    expect(typeError).toMatchObject({
      errors: [{ extensions: { details: [{ field: 'first', error: 'INVALID_TYPE' }] } }],
    });
    for (let round = 0; round < 5; round += 1) {
      expect(await fetchList(guest, list, tooSmall)).toEqual(smallError);
      expect(await fetchList(guest, list, unknown)).toEqual(typeError);
    }
  });

  it('is recognised by its whole body only', async () => {
    const request = { query: list, variables: { b: shop.businessId } };
    const body = JSON.stringify(request);
    const tail = body.slice(JSON.stringify({ query: list }).length - 1);
    const send = async (text: string) => {
      const headers = { authorization: `Bearer ${guest.token}`, 'content-type': 'application/json' };
      const httpRequest = new Request('http://localhost/graphql', { method: 'POST', headers, body: text });
      return (await t.app.fetch(httpRequest)).status;
    };
    for (let round = 0; round < 6; round += 1)
      expect(await fetchList(guest, list, request.variables)).toHaveProperty('data');
    expect(await send(body)).toBe(200);
    for (let number = 1; number < 50; number += 1)
      for (const text of [`${number}${tail}`, `{${number}${tail}`])
        expect([text, await send(text)]).toEqual([text, 400]);
    for (const text of [tail, `{${body}`, body.slice(1), body.slice(0, -1)])
      expect([text, await send(text)]).toEqual([text, 400]);
  });

  it('applies the filter of the request', async () => {
    const filtered = { b: shop.businessId, filter: { categories: ['none'] } };
    for (let round = 0; round < 5; round += 1) {
      expect(await fetchList(guest, list, filtered)).toEqual(listed());
      expect(await fetchList(guest, list, { b: shop.businessId, filter: {} })).toMatchObject({
        data: { products: { nodes: [{ name: 'ACTIVE' }] } },
      });
    }
  });
});

describe('the memo', () => {
  it('stores a short request on its second occurrence', () => {
    const memo = createParsedRequestCache<{ variables: object }>(({ variables }) => variables);
    const [first, second] = [{ variables: {} }, { variables: {} }];
    memo.store('text', first);
    expect(memo.find('text')).toBeUndefined();
    memo.store('text', second);
    expect(memo.find('text')).toBe(second);
    const long = 'x'.repeat(3001);
    for (let time = 0; time < 3; time += 1) memo.store(long, first);
    expect(memo.find(long)).toBeUndefined();
  });

  it('stores all requests of a client that sends its document last', () => {
    const memo = createParsedRequestCache<{ variables: object }>(({ variables }) => variables);
    const createRequest = (id: number) => {
      const request = {
        operationName: 'A'.repeat(120),
        variables: { id: 1000 + id },
        query: '{ a }'.repeat(100),
      };
      return { request, text: JSON.stringify(request) };
    };
    const all = Array.from({ length: 50 }, (_item, id) => createRequest(id));
    for (let time = 0; time < 2; time += 1) for (const { text, request } of all) memo.store(text, request);
    for (const { text, request } of all) expect(memo.find(text)).toBe(request);
  });

  it('computes derived values once and freezes them', () => {
    const owner = freezeForMemoization({ a: 1 });
    const [key, value] = [{}, { list: [{ deep: true }] }];
    let times = 0;
    const make = () => {
      times += 1;
      return value;
    };
    expect([memoizeOnArguments(owner, key, make), memoizeOnArguments(owner, key, make)]).toEqual([
      value,
      value,
    ]);
    expect(times).toBe(1);
    expect(() => value.list.push({ deep: false })).toThrow(TypeError);
    expect(Object.isFrozen(value.list[0])).toBe(true);
    expect(memoizeOnArguments(owner, {}, () => ({}))).not.toBe(value);
  });

  it('does not store values of requests that are not memoized, nor errors', () => {
    const key = {};
    expect(memoizeOnArguments({}, key, () => ({ n: 1 }))).toEqual({ n: 1 });
    const owner = freezeForMemoization({});
    const fail = () => {
      throw new Error('not today');
    };
    expect(() => memoizeOnArguments(owner, key, fail)).toThrow('not today');
    expect(memoizeOnArguments(owner, key, () => ({ n: 2 }))).toEqual({ n: 2 });
  });
});
