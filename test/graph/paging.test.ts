/** Lists are walked both ways: the same items once each, and pages that say truly what is around them. */
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
import { loadPage, type Slice } from '../../src/lib/paging.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { rootFields } from '../support/root-fields.ts';
import { type SellingShop, sellingShop } from '../support/selling.ts';
import { plantLists } from './setup.ts';

const secret = new Uint8Array(32);

/** A list of keys, newest first, in memory. */
const listed = (keys: readonly string[]) => (args: object) =>
  loadPage<{ key: string }>({
    secret,
    list: 'l',
    args,
    keyOf: ({ key }) => key,
    async fetch({ after, before, backward }: Slice, limit) {
      const within = keys.filter(
        (key) => (after === undefined || key < after) && (before === undefined || key > before),
      );
      return (backward ? within.reverse() : within).slice(0, limit).map((key) => ({ key }));
    },
    count: async () => keys.length,
  });

it('sees the same set forwards and backwards, and says truly whether there is more', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 100, max: 999 }), { maxLength: 30 }),
      fc.integer({ min: 1, max: 8 }),
      async (numbers, size) => {
        const keys = numbers.map(String).sort().reverse();
        const ask = listed(keys);
        const seen: string[] = [];
        for (let after: string | undefined; ; ) {
          const found = await ask({ first: size, after });
          expect(await found.hasPreviousPage()).toBe(seen.length > 0);
          seen.push(...found.nodes.map(({ key }) => key));
          expect(found.hasNextPage).toBe(seen.length < keys.length);
          const last = found.nodes.at(-1);
          if (!found.hasNextPage || last === undefined) break;
          after = found.cursorOf(last);
        }
        expect(seen).toEqual(keys);
        const back: string[] = [];
        for (let before: string | undefined; ; ) {
          const found = await ask({ last: size, before });
          expect(found.hasNextPage).toBe(back.length > 0);
          back.unshift(...found.nodes.map(({ key }) => key));
          expect(await found.hasPreviousPage()).toBe(back.length < keys.length);
          const [first] = found.nodes;
          if (back.length === keys.length || first === undefined) break;
          before = found.cursorOf(first);
        }
        expect(back).toEqual(keys);
      },
    ),
    { numRuns: 100 },
  );
});

let t: TestApp;
let shop: SellingShop;
let chief: Person;

beforeAll(async () => {
  t = await testApp();
  shop = await sellingShop(t);
  chief = shop.admin;
  lists = await plantLists(t, shop);
});

let lists: Record<string, string>;
const isList = (type: unknown) => /Connection!?$/.test(String(type));
/** Every list of the schema: a new one that is not planted fails here. */
const connections = rootFields.filter(({ operation, field }) => operation === 'query' && isList(field.type));
const names = connections.map(({ field }) => field.name);

interface Shown {
  edges: { cursor: string }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean };
}

async function ask(list: string, args: string): Promise<Shown> {
  const query = `${lists[list] ? 'query ($b: ID!)' : 'query'} { list: ${list}(${lists[list]} ${args}) { edges { cursor } pageInfo { hasNextPage hasPreviousPage } } }`;
  const { data, errors } = await t.graphql(query, { b: shop.businessId }, { as: chief });
  expect(errors).toEqual([]);
  return (data as never as { list: Shown }).list;
}

const cursorsOf = ({ edges }: Shown) => edges.map(({ cursor }) => cursor);

it.each(names)('%s are the same backwards', async (list) => {
  const all = await ask(list, 'first: 100');
  expect(all.pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: false });
  const cursors = cursorsOf(all);
  expect(cursors.length).toBeGreaterThan(3);
  const back: string[] = [];
  while (back.length < cursors.length) {
    const shown = await ask(list, `last: 2 ${back[0] ? `before: "${back[0]}"` : ''}`);
    expect(shown.pageInfo.hasNextPage).toBe(back.length > 0);
    back.unshift(...cursorsOf(shown));
    expect(shown.pageInfo.hasPreviousPage).toBe(back.length < cursors.length);
  }
  expect(back).toEqual(cursors);
  // Between two cursors, from either end.
  const [start, end] = [cursors[0], cursors.at(-1)];
  expect(cursorsOf(await ask(list, `first: 1 after: "${start}" before: "${end}"`))).toEqual([cursors[1]]);
  expect(cursorsOf(await ask(list, `last: 1 after: "${start}" before: "${end}"`))).toEqual([cursors.at(-2)]);
  expect((await ask(list, `first: 2 after: "${start}"`)).pageInfo.hasPreviousPage).toBe(true);
});

it('refuses first and last together, a bad size and a forged cursor', async () => {
  const refused = async (args: string) => {
    const { errors } = await t.graphql(
      `query ($b: ID!) { products(businessId: $b, ${args}) { totalCount } }`,
      { b: shop.businessId },
      { as: chief },
    );
    return errors.map(({ extensions }) =>
      extensions.details.map(({ field, error }) => `${field} ${error}`).join(),
    );
  };
  expect(await refused('first: 1 last: 1')).toEqual(['last INVALID_VALUE']);
  expect(await refused('last: 0')).toEqual(['last TOO_SMALL']);
  expect(await refused('last: 1 before: "x"')).toEqual(['before INVALID_CURSOR']);
});

it('pages the lists of several owners backwards at the same number of statements', async () => {
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

/** What a page of a list may show of each node without asking for more than it has to: its own values, and those of what it points at. */
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
  '%s cost as many statements for many as for one, at any depth',
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
      const shown = JSON.parse(JSON.stringify(owner ? data?.[owner] : data)) as { list: Shown };
      return { statements: t.statements.length, cursors: cursorsOf(shown.list) };
    };
    // Compiled from the third run on; records are at hand by then.
    for (let run = 0; run < 3; run += 1) await cost(100);
    const [one, many] = [await cost(1), await cost(4)];
    const deep = await cost(1, many.cursors[2]);
    expect([many.cursors.length, deep.cursors.length]).toEqual([4, 1]);
    expect([one.statements, deep.statements]).toEqual([many.statements, many.statements]);
  },
);
