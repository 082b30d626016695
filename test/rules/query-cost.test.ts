/** Static query cost, document size and overlapping field pairs. */
import { buildSchema, DirectiveLocation, getOperationAST, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { getDeclaredVariableTypes, type Variables } from '../../src/graphql/execute/coerce-variables.ts';
import { computeIntrospectionCost } from '../../src/graphql/limits/introspection-cost.ts';
import { measureGraphqlDocument } from '../../src/graphql/limits/measure-document.ts';
import { countOverlappingFieldPairs } from '../../src/graphql/limits/overlapping-fields.ts';
import { createQueryCostEstimator } from '../../src/graphql/limits/query-cost.ts';

const schema = buildSchema(`
  type Query { one: Thing named: Named any: Any list(first: Int = 10, ids: [ID!], name: String): [Thing!]! free: Thing dear: Int broken: Thing }
  interface Named { name: String }
  type Thing implements Named { name: String parts: [Thing!]! }
  type Other { kind(of: Kind): String }
  union Any = Thing | Other
  enum Kind { A B C }
  input In { a: Int b: Int }
  type Mutation { make(in: In): Thing }
`);
const fields = schema.getQueryType()?.getFields() ?? {};
const complexity = (name: string, value: unknown) =>
  Object.assign(fields[name]?.extensions ?? {}, { pothosOptions: { complexity: value } });
let costCalls = 0;
complexity('list', ({ first, ids }: { first?: number | null; ids?: string[] }) => {
  costCalls += 1;
  return { field: 2, multiplier: ids ? ids.length : (first ?? 10) };
});
complexity('free', { field: 0 });
complexity('dear', 50);
complexity('broken', { multiplier: -1 });

function estimatorOf(source: string) {
  const document = parse(source);
  const operation = getOperationAST(document) ?? expect.unreachable();
  return createQueryCostEstimator(schema, document, operation, getDeclaredVariableTypes(schema, operation));
}

function costOf(source: string) {
  const estimate = estimatorOf(source);
  return (variables: Variables) => estimate(variables).cost;
}

describe('cost of an operation', () => {
  it.each([
    ['{ one { name } }', 2],
    ['{ one { name a: name parts { name } } }', 5],
    ['{ free { name } }', 1],
    ['{ dear }', 50],
    ['{ broken { name } }', 1],
    ['{ list { name } }', 12],
    ['{ list(first: 3) { name parts { name } } }', 11],
    ['{ list(ids: ["a", "b"]) { name } }', 4],
    ['{ one { ...F } } fragment F on Thing { name parts { name } }', 4],
    ['{ ...Q ...Missing } fragment Q on Query { dear }', 50],
    ['{ named { name ... on Thing { parts { name } } ... { name } } }', 5],
    ['{ any { ... on Other { kind(of: A) } ... on Thing { name } } }', 3],
    ['{ any { __typename } }', 2],
    ['{ one { nonsense { name } } }', 2],
    ['mutation { make { name } }', 2],
    ['subscription { make { name } }', 0],
  ])('%s: %i', (source, cost) => {
    expect(costOf(source)({})).toBe(cost);
  });

  it.each([
    ['{ one { ... @defer { name } } }', 1, 7],
    ['{ one { ... @defer(if: false) { name } } }', 0, 2],
    ['{ one { ...F @defer } } fragment F on Thing { name parts { ... @defer { name } } }', 2, 14],
    ['{ list { ... @defer { name } } }', 10, 62],
    ['{ list @stream { name } }', 10, 62],
    ['{ list(first: 3) @stream { ... @defer { name } } }', 6, 35],
  ])('%s: %i parts, cost %i', (source, parts, cost) => {
    expect(estimatorOf(source)({})).toEqual({ parts, cost });
  });

  it('depends only on page sizes and list lengths, and is computed once per combination', () => {
    const cost = costOf(
      'query ($n: Int = 5, $ids: [ID!], $name: String) { list(first: $n, ids: $ids, name: $name) { name } }',
    );
    costCalls = 0;
    expect([cost({}), cost({ n: 5 }), cost({ n: 7 }), cost({ n: null }), cost({ ids: ['a', 'b'] })]).toEqual([
      7, 7, 9, 12, 4,
    ]);
    expect(costCalls).toBe(5);
    expect([cost({}), cost({ n: 7, name: 'x' }), cost({ ids: ['c', 'd'] }), cost({ ids: ['c'] })]).toEqual([
      7, 9, 4, 3,
    ]);
    expect(costCalls).toBe(6);
  });

  it('of introspection depends on the size of the schema', () => {
    const items = computeIntrospectionCost(schema);
    const { perValue: own } = items;
    const one = costOf('{ __schema { types { name fields { name } } } }')({});
    const count = items.multiplier('__Schema', 'types', '');
    const average = items.multiplier('__Type', 'fields', '/__schema/types');
    expect(one).toBe(Math.ceil(1 + own + count * (own + own + average * own)));
    expect(costOf('{ __type(name: "Thing") { name fields { name } } }')({})).toBe(
      Math.ceil(1 + own + own + items.multiplier('__Type', 'fields', '/__type') * own),
    );
  });
});

describe('introspection', () => {
  const types = Object.values(schema.getTypeMap());

  it('multiplies by the lengths of the lists in the schema', () => {
    const { perValue: own, multiplier: times } = computeIntrospectionCost(schema);
    expect(own).toBe(2);
    expect([
      times('__Schema', 'types', ''),
      times('__Schema', 'directives', ''),
      times('__Schema', 'queryType', ''),
    ]).toEqual([types.length, 6, 1]);
    expect([
      times('__Type', 'ofType', ''),
      times('__Type', 'name', ''),
      times('__Field', 'type', '/types'),
    ]).toEqual([0.5, 1, 1]);
  });

  it('uses the maximum for a single type, and the average for all types', () => {
    const { multiplier: times } = computeIntrospectionCost(schema);
    // Introspection types are part of the schema: __Type has the most fields, __DirectiveLocation the most enum values.
    const sizeOf = (name: string) =>
      Object.keys((types.find((type) => type.name === name) as never as { getFields(): object }).getFields())
        .length;
    const outputs = types.filter((type) => 'getInterfaces' in type) as never as {
      getFields(): Record<string, { args: unknown[] }>;
    }[];
    const all = outputs.flatMap((type) => Object.values(type.getFields()));
    const places = Object.keys(DirectiveLocation).length;
    const picked = (field: string) => times('__Type', field, '/__type');
    const each = (field: string) => times('__Type', field, '/__schema/types');
    expect(picked('fields')).toBe(Math.max(sizeOf('__Type'), sizeOf('Query')));
    expect(each('fields')).toBeCloseTo(all.length / types.length);
    expect([picked('args'), picked('interfaces'), picked('possibleTypes'), picked('inputFields')]).toEqual([
      3, 1, 2, 2,
    ]);
    expect(each('possibleTypes')).toBeCloseTo(3 / types.length);
    expect(each('interfaces')).toBeCloseTo(1 / types.length);
    expect(each('inputFields')).toBeCloseTo(2 / types.length);
    expect(picked('enumValues')).toBe(places);
    expect(each('enumValues')).toBeCloseTo((places + 8 + 3) / types.length);
    const args = all.reduce((sum, field) => sum + field.args.length, 0);
    expect(times('__Field', 'args', '/__schema/types/fields')).toBeCloseTo(args / all.length);
    expect(times('__Type', 'fields', '/__schema/types/fields')).toBe(picked('fields'));
  });

  it('costs less per field in a very large schema', () => {
    const many = buildSchema(
      `type Query { ${Array.from({ length: 3000 }, (_, index) => `f${index}: Int`).join(' ')} }`,
    );
    expect(computeIntrospectionCost(many).perValue).toBeLessThan(4 / 3);
    expect(computeIntrospectionCost(many).perValue).toBeGreaterThan(1.25);
  });
});

describe('size of a document', () => {
  const bounds = { fields: 100, total: 100, pairs: 1000 };
  it.each([
    ['{ a }', 1, 1, 1, 1],
    ['{ a { b c } }', 3, 2, 3, 3],
    ['{ a { b } c }', 3, 2, 3, 3],
    ['{ a ... { b ... on T { c } } }', 3, 1, 3, 3],
    ['{ a ...F b { ...F } } fragment F on T { x { y } }', 6, 3, 8, 10],
    ['{ ...F } fragment F on T { x }', 1, 1, 2, 3],
    ['{ ...Missing }', 0, 0, 0, 1],
    ['query A { a } query B { a b { c } }', 3, 2, 4, 4],
    ['type T { a: Int }', 0, 0, 0, 0],
    ['{ ...F } fragment F on T { a ...G } fragment G on T { ...F }', Infinity, Infinity, Infinity, undefined],
  ])('%s', (source, fieldsOf, depth, total, pairs) => {
    expect(measureGraphqlDocument(parse(source), bounds)).toEqual({ fields: fieldsOf, depth, total, pairs });
  });

  it('has no pair count above the limits', () => {
    const document = parse('{ a b c } fragment F on T { d }');
    expect(measureGraphqlDocument(document, { ...bounds, fields: 3, total: 4 }).pairs).toBe(4);
    expect(measureGraphqlDocument(document, { ...bounds, fields: 2 }).pairs).toBeUndefined();
    expect(measureGraphqlDocument(document, { ...bounds, total: 3 }).pairs).toBeUndefined();
  });
});

describe('overlapping field pairs', () => {
  const pairsOf = (source: string, limit = 1000) => {
    const { definitions } = parse(source);
    const fragments = new Map(
      definitions.flatMap((definition) =>
        definition.kind === 'FragmentDefinition' ? [[definition.name.value, definition] as const] : [],
      ),
    );
    const roots = definitions.flatMap((definition) =>
      definition.kind === 'OperationDefinition' ? [definition.selectionSet] : [],
    );
    return countOverlappingFieldPairs(fragments, roots, limit);
  };
  it.each([
    ['{ a b }', 2],
    ['{ a a a }', 9],
    ['{ a b: a b }', 5],
    ['{ a { x } a { x } }', 8],
    ['{ a ... { a } }', 4],
    ['{ ...F ...F a } fragment F on T { a }', 5],
    ['{ ...F ...G } fragment F on T { a } fragment G on T { ...F }', 5],
    ['{ ...Missing a }', 2],
    ['query A { a } query B { a }', 2],
  ])('of %s are %i', (source, pairs) => {
    expect(pairsOf(source)).toBe(pairs);
  });

  it('are counted only up to the limit', () => {
    expect(pairsOf('{ a a { x x x } b b b }', 3)).toBe(4);
    expect(pairsOf('{ a a { x x x } b b b }', 4)).toBe(22);
    expect(pairsOf('{ a a b }', 4)).toBe(5);
    expect(pairsOf('query A { a a } query B { b }', 3)).toBe(4);
    expect(pairsOf('query A { a a } query B { b }', 4)).toBe(5);
  });
});
