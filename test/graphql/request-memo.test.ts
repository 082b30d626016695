/** Questions that come again in the same words: what was read of them is kept, and nothing that depends on who asks, or when. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createRequestMemo } from '../../src/graphql/fast/request-memo.ts';
import { enableMemoization, memoizeOnArguments } from '../../src/lib/cache/memoize-on-arguments.ts';
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

async function ask(as: Person, query: string, variables: object): Promise<unknown> {
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

/** The same list in the voice of REST. */
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

describe('in the same words', () => {
  it('everybody is told what they may see, each time', async () => {
    const variables = { b: shop.businessId };
    for (let round = 0; round < 6; round += 1) {
      expect(await ask(shop.admin, list, variables)).toEqual(listed(['DRAFT', 1], ['ACTIVE', 1]));
      expect(await ask(guest, list, variables)).toEqual(listed(['ACTIVE', 1]));
      expect(await ask(other.admin, list, variables)).toEqual(listed(['ACTIVE', 1]));
      expect(await namesFor(shop.admin)).toEqual(['DRAFT', 'ACTIVE']);
      expect(await namesFor(guest)).toEqual(['ACTIVE']);
    }
  });

  it('the answer is the one of now', async () => {
    const variables = { b: shop.businessId, first: 5 };
    for (let version = 1; version < 7; version += 1) {
      expect(await ask(guest, list, variables)).toEqual(listed(['ACTIVE', version]));
      await t.rest('PUT', `/v1/businesses/${shop.businessId}/products/active`, {
        as: shop.admin,
        body: { description: `now ${version}` },
      });
    }
  });

  it('what is wrong stays wrong', async () => {
    const faulty = { b: shop.businessId, first: 0 };
    const unknown = { b: shop.businessId, first: 'two' };
    const [small, typed] = [await ask(guest, list, faulty), await ask(guest, list, unknown)];
    expect(small).toMatchObject({
      errors: [{ extensions: { details: [{ field: 'first', error: 'TOO_SMALL' }] } }],
    });
    expect(typed).toMatchObject({
      errors: [{ extensions: { details: [{ field: 'first', error: 'INVALID_TYPE' }] } }],
    });
    for (let round = 0; round < 5; round += 1) {
      expect(await ask(guest, list, faulty)).toEqual(small);
      expect(await ask(guest, list, unknown)).toEqual(typed);
    }
  });

  it('nothing but the whole body asks', async () => {
    const sent = { query: list, variables: { b: shop.businessId } };
    const body = JSON.stringify(sent);
    const rest = body.slice(JSON.stringify({ query: list }).length - 1);
    const send = async (text: string) => {
      const headers = { authorization: `Bearer ${guest.token}`, 'content-type': 'application/json' };
      const request = new Request('http://localhost/graphql', { method: 'POST', headers, body: text });
      return (await t.app.fetch(request)).status;
    };
    for (let round = 0; round < 6; round += 1)
      expect(await ask(guest, list, sent.variables)).toHaveProperty('data');
    expect(await send(body)).toBe(200);
    for (let number = 1; number < 50; number += 1)
      for (const text of [`${number}${rest}`, `{${number}${rest}`])
        expect([text, await send(text)]).toEqual([text, 400]);
    for (const text of [rest, `{${body}`, body.slice(1), body.slice(0, -1)])
      expect([text, await send(text)]).toEqual([text, 400]);
  });

  it('a filter is read as it was sent', async () => {
    const some = { b: shop.businessId, filter: { categories: ['none'] } };
    for (let round = 0; round < 5; round += 1) {
      expect(await ask(guest, list, some)).toEqual(listed());
      expect(await ask(guest, list, { b: shop.businessId, filter: {} })).toMatchObject({
        data: { products: { nodes: [{ name: 'ACTIVE' }] } },
      });
    }
  });
});

describe('what is kept', () => {
  it('is what was asked twice, and is short', () => {
    const questions = createRequestMemo<{ variables: object }>(({ variables }) => variables);
    const [first, second] = [{ variables: {} }, { variables: {} }];
    questions.store('asked', first);
    expect(questions.find('asked')).toBeUndefined();
    questions.store('asked', second);
    expect(questions.find('asked')).toBe(second);
    const long = 'x'.repeat(3001);
    for (let time = 0; time < 3; time += 1) questions.store(long, first);
    expect(questions.find(long)).toBeUndefined();
  });

  it('is each question of a client that sends its document last', () => {
    const questions = createRequestMemo<{ variables: object }>(({ variables }) => variables);
    const sent = (id: number) => {
      const asked = {
        operationName: 'A'.repeat(120),
        variables: { id: 1000 + id },
        query: '{ a }'.repeat(100),
      };
      return { asked, text: JSON.stringify(asked) };
    };
    const all = Array.from({ length: 50 }, (_one, id) => sent(id));
    for (let time = 0; time < 2; time += 1) for (const { text, asked } of all) questions.store(text, asked);
    for (const { text, asked } of all) expect(questions.find(text)).toBe(asked);
  });

  it('is made once, and nobody can change it', () => {
    const owner = enableMemoization({ a: 1 });
    const [by, made] = [{}, { list: [{ deep: true }] }];
    let times = 0;
    const make = () => {
      times += 1;
      return made;
    };
    expect([memoizeOnArguments(owner, by, make), memoizeOnArguments(owner, by, make)]).toEqual([made, made]);
    expect(times).toBe(1);
    expect(() => made.list.push({ deep: false })).toThrow(TypeError);
    expect(Object.isFrozen(made.list[0])).toBe(true);
    expect(memoizeOnArguments(owner, {}, () => ({}))).not.toBe(made);
  });

  it('is nothing of what was not kept, nor of what failed', () => {
    const by = {};
    expect(memoizeOnArguments({}, by, () => ({ n: 1 }))).toEqual({ n: 1 });
    const owner = enableMemoization({});
    const fail = () => {
      throw new Error('not today');
    };
    expect(() => memoizeOnArguments(owner, by, fail)).toThrow('not today');
    expect(memoizeOnArguments(owner, by, () => ({ n: 2 }))).toEqual({ n: 2 });
  });
});
