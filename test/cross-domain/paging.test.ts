/** Pagination in both directions: every item once, and correct hasNextPage and hasPreviousPage. */
import fc from 'fast-check';
import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
  isRequiredArgument,
  isUnionType,
} from 'graphql';
import { beforeAll, expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema/schema.ts';
import { type KeyRange, loadKeysetPage } from '../../src/lib/paging.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { rootFields } from '../support/root-fields.ts';
import { createSellingShop, type SellingShop } from '../support/shop-fixtures.ts';
import { seedLists } from './setup.ts';

const secret = new Uint8Array(32);

/** In-memory list of keys, newest first. */
const inMemoryList = (keys: readonly string[]) => (args: object) =>
  loadKeysetPage<{ key: string }>({
    secret,
    list: 'l',
    args,
    keyOf: ({ key }) => key,
    async fetch({ after, before, backward }: KeyRange, limit) {
      const within = keys.filter(
        (key) => (after === undefined || key < after) && (before === undefined || key > before),
      );
      return (backward ? within.reverse() : within).slice(0, limit).map((key) => ({ key }));
    },
    count: async () => keys.length,
  });

it('returns the same items forwards and backwards, with correct page flags', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 100, max: 999 }), { maxLength: 30 }),
      fc.integer({ min: 1, max: 8 }),
      async (numbers, size) => {
        const keys = numbers.map(String).sort().reverse();
        const fetchPage = inMemoryList(keys);
        const forward: string[] = [];
        for (let after: string | undefined; ; ) {
          const page = await fetchPage({ first: size, after });
          expect(await page.hasPreviousPage()).toBe(forward.length > 0);
          forward.push(...page.nodes.map(({ key }) => key));
          expect(page.hasNextPage).toBe(forward.length < keys.length);
          const last = page.nodes.at(-1);
          if (!page.hasNextPage || last === undefined) break;
          after = page.cursorOf(last);
        }
        expect(forward).toEqual(keys);
        const backward: string[] = [];
        for (let before: string | undefined; ; ) {
          const page = await fetchPage({ last: size, before });
          expect(page.hasNextPage).toBe(backward.length > 0);
          backward.unshift(...page.nodes.map(({ key }) => key));
          expect(await page.hasPreviousPage()).toBe(backward.length < keys.length);
          const [first] = page.nodes;
          if (backward.length === keys.length || first === undefined) break;
          before = page.cursorOf(first);
        }
        expect(backward).toEqual(keys);
      },
    ),
    { numRuns: 100 },
  );
});

let t: TestApp;
let shop: SellingShop;
let chief: Person;

beforeAll(async () => {
  // The log would contain the requests of this test.
  t = await testApp({ REQUEST_LOG: 'off' });
  shop = await createSellingShop(t);
  chief = shop.admin;
  lists = await seedLists(t, shop);
});

let lists: Record<string, string>;
const isList = (type: unknown) => /Connection!?$/.test(String(type));
/** Every connection field of the schema: a new one without seeded records fails here. */
const connections = rootFields.filter(({ operation, field }) => operation === 'query' && isList(field.type));
const names = connections.map(({ field }) => field.name);

interface ConnectionPage {
  edges: { cursor: string }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean };
}

async function fetchPage(list: string, args: string): Promise<ConnectionPage> {
  const query = `${lists[list] ? 'query ($b: ID!)' : 'query'} { list: ${list}(${lists[list]} ${args}) { edges { cursor } pageInfo { hasNextPage hasPreviousPage } } }`;
  const { data, errors } = await t.graphql(query, { b: shop.businessId }, { as: chief });
  expect(errors).toEqual([]);
  return (data as never as { list: ConnectionPage }).list;
}

const cursorsOf = ({ edges }: ConnectionPage) => edges.map(({ cursor }) => cursor);

it.each(names)('%s returns the same items backwards', async (list) => {
  const all = await fetchPage(list, 'first: 100');
  expect(all.pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: false });
  const cursors = cursorsOf(all);
  expect(cursors.length).toBeGreaterThan(3);
  const backward: string[] = [];
  while (backward.length < cursors.length) {
    const page = await fetchPage(list, `last: 2 ${backward[0] ? `before: "${backward[0]}"` : ''}`);
    expect(page.pageInfo.hasNextPage).toBe(backward.length > 0);
    backward.unshift(...cursorsOf(page));
    expect(page.pageInfo.hasPreviousPage).toBe(backward.length < cursors.length);
  }
  expect(backward).toEqual(cursors);
  // Between two cursors, from either direction.
  const [start, end] = [cursors[0], cursors.at(-1)];
  expect(cursorsOf(await fetchPage(list, `first: 1 after: "${start}" before: "${end}"`))).toEqual([
    cursors[1],
  ]);
  expect(cursorsOf(await fetchPage(list, `last: 1 after: "${start}" before: "${end}"`))).toEqual([
    cursors.at(-2),
  ]);
  expect((await fetchPage(list, `first: 2 after: "${start}"`)).pageInfo.hasPreviousPage).toBe(true);
});

it('rejects first with last, an invalid page size and a forged cursor', async () => {
  const errorCodes = async (args: string) => {
    const { errors } = await t.graphql(
      `query ($b: ID!) { products(businessId: $b, ${args}) { totalCount } }`,
      { b: shop.businessId },
      { as: chief },
    );
    return errors.map(({ extensions }) =>
      extensions.details.map(({ field, error }) => `${field} ${error}`).join(),
    );
  };
  expect(await errorCodes('first: 1 last: 1')).toEqual(['last INVALID_VALUE']);
  expect(await errorCodes('last: 0')).toEqual(['last TOO_SMALL']);
  expect(await errorCodes('last: 1 before: "x"')).toEqual(['before INVALID_CURSOR']);
});

it('paginates nested lists backwards with a constant number of SQL statements', async () => {
  const query =
    'query ($n: Int) { businesses(first: $n) { nodes { products(last: 2) { nodes { name } pageInfo { hasPreviousPage } } } } }';
  const costs: number[] = [];
  for (const n of [2, 5, 2, 5]) {
    t.statements.length = 0;
    const { data, errors } = await t.graphql(query, { n }, { as: chief });
    expect(errors).toEqual([]);
    costs.push(t.statements.length);
    if (n === 5)
      expect((data as never as { businesses: { nodes: object[] } }).businesses.nodes.at(-1)).toEqual({
        products: { nodes: [{ name: 'P0' }, { name: 'P' }], pageInfo: { hasPreviousPage: true } },
      });
  }
  expect(costs[3]).toBe(costs[2]);
});

/** Selection of all leaf fields of a node and of its directly related records, without nested lists. */
function selectionOf(type: GraphQLOutputType, deeper = 1): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return ' ';
  if (isUnionType(named)) return '{ __typename }';
  const fields = Object.values(named.getFields()).filter(
    ({ args, type: of }) =>
      !args.some(isRequiredArgument) && !isList(of) && (deeper > 0 || isLeafType(getNamedType(of))),
  );
  return `{ __typename ${fields.map(({ name, type: of }) => `${name} ${selectionOf(of, deeper - 1)}`).join(' ')} }`;
}

it.each([...names, 'me.securityEvents'])(
  '%s uses a constant number of SQL statements for any page size and depth',
  async (list) => {
    const [field = '', owner] = list.split('.').reverse();
    const fields = (
      owner ? (schema.getType('User') as GraphQLObjectType) : schema.getQueryType()
    )?.getFields();
    const node = schema.getType(
      String(fields?.[field]?.type).replace(/Connection!?$/, ''),
    ) as GraphQLOutputType;
    const asked = `list: ${field}(${lists[list] ?? ''} first: $n, after: $after) {
      totalCount edges { cursor node ${selectionOf(node)} } pageInfo { hasNextPage } }`;
    const query = `query (${lists[list] ? '$b: ID!,' : ''} $n: Int, $after: String) { ${owner ? `${owner} { ${asked} }` : asked} }`;
    const cost = async (n: number, after?: string) => {
      t.statements.length = 0;
      const { data, errors } = await t.graphql(query, { b: shop.businessId, n, after }, { as: chief });
      expect(errors).toEqual([]);
      const page = JSON.parse(JSON.stringify(owner ? data?.[owner] : data)) as { list: ConnectionPage };
      return { statements: t.statements.length, cursors: cursorsOf(page.list) };
    };
    // Queries are compiled from the third run on; records are cached by then.
    for (let run = 0; run < 3; run += 1) await cost(100);
    const [one, many] = [await cost(1), await cost(4)];
    const deep = await cost(1, many.cursors[2]);
    expect([many.cursors.length, deep.cursors.length]).toEqual([4, 1]);
    expect([one.statements, deep.statements]).toEqual([many.statements, many.statements]);
  },
);
