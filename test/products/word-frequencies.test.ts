/** Word frequencies speed up a search and never change its result. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { hasTrigramSupport } from '../../src/db/detect-pg-trgm.ts';
import type { Db } from '../../src/db/handles.ts';
import type { ListProductsArgs } from '../../src/domains/products/search/schemas.ts';
import { searchProducts } from '../../src/domains/products/search/search-products.ts';
import { loadSearchSuggestions } from '../../src/domains/products/search/suggestions.ts';
import { buildTextSearchSql, type SearchSupport } from '../../src/domains/products/search/text-search.ts';
import {
  createWordFrequencyEstimator,
  loadWordFrequencyEstimators,
  selectRareWords,
} from '../../src/domains/products/search/word-frequencies.ts';
import { newId } from '../../src/lib/ids.ts';
import { onPostgres, testDb } from '../support/database.ts';

const businessId = newId();
let db: Db;

interface Row {
  name: string;
  description: string;
  sku: string;
  status: 'ACTIVE' | 'DRAFT';
}

/** Inserts the rows that triggers would derive, many times faster. */
async function insertRows(on: Db, rows: readonly Row[]): Promise<void> {
  await on.write(
    'insert into businesses (id, name, slug, created_at, updated_at) values ($1, $2, $2, 1, 1) on conflict do nothing',
    [businessId, businessId],
  );
  const params = [businessId, JSON.stringify(rows.map((row) => ({ ...row, id: newId() })))];
  await on.transaction(async (tx) => {
    await tx.sql('set local session_replication_role = replica');
    const inputRows =
      'jsonb_to_recordset($2::jsonb) r (id uuid, name text, description text, sku text, status text)';
    await tx.write(
      `insert into products (id, business_id, slug, name, category, statuses, document, created_at, updated_at)
       select r.id, $1, r.id, r.name, '', jsonb_build_array(jsonb_build_object('status', r.status)),
         jsonb_build_object('description', r.description, 'width', repeat('x', 1500)), 1, 1 from ${inputRows}`,
      params,
    );
    await tx.write(
      `insert into variants (id, product_id, business_id, position, sku, tracked, quantity)
       select r.id, r.id, $1, 1, r.sku, false, 0 from ${inputRows}`,
      params,
    );
    await tx.write(
      `insert into product_listings (product_id, business_id, name, search, created_at, updated_at)
       select r.id, $1, lower(r.name), product_search_vector(r.name, '', jsonb_build_object('description', r.description)), 1, 1 from ${inputRows}`,
      params,
    );
  });
}

describe('selection of rare words', () => {
  const estimate = createWordFrequencyEstimator([
    ['sampl', 1],
    ['happi', 0.5],
    ['mug', 0.05],
    ['s', 0.6],
    ['run', 0.3],
    ['runner', 0.2],
  ]);

  test('handles lexemes of 2,000 letters within a second', () => {
    const long = (number: number) => `${number}q`.padEnd(2000, 'xyz');
    const startedAt = performance.now();
    const estimateLong = createWordFrequencyEstimator(
      Array.from({ length: 1000 }, (_, number) => [long(number), 0.5] as const),
    );
    expect(performance.now() - startedAt).toBeLessThan(1000);
    expect([
      estimateLong(long(7)),
      estimateLong(long(7).slice(0, 500)),
      estimateLong('7q'),
      estimateLong('8qyx'),
    ]).toEqual([0.5, 0.5, 0.5, 10 ** -4]);
  });

  test.each([
    ['sample 123001', '123001'],
    ['samp 123001', '123001'],
    ['samples sampling 1234', '1234'],
    ['happy kettle', 'kettle'],
    ['happily 1234', '1234'],
    ['run mug', undefined],
    ['sample mug', 'mug'],
    ['sample mugs kettle', 'kettle'],
    // A frequent one-letter lexeme does not make words with this prefix frequent.
    ['sample sprocket', 'sprocket'],
    // Short words are prefixes of many, with or without statistics.
    ['sample 1', undefined],
    ['mug 12', undefined],
    ['sample happy', undefined],
    ['sample', undefined],
    ['kettle', 'kettle'],
  ])('of "%s" selects "%s"', (words, rare) => {
    expect(selectRareWords(words.split(' '), estimate)?.join(' ')).toBe(rare);
  });
});

describe('with and without statistics', () => {
  const pool = [
    'sample',
    'samples',
    'mug',
    'kettle',
    'kettel',
    'ketlte',
    'mgu',
    'the',
    'this',
    'and',
    'of',
    'a',
    'blue',
    '12',
  ];
  const words = [
    ...pool,
    '123',
    '1234',
    'sam',
    'kitchens',
    'xylophone',
    'über',
    'es',
    'e',
    '½',
    '1e5',
    'who',
  ];
  const text = fc
    .array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 })
    .map((list) => list.join(' '));

  beforeAll(async () => {
    db = await testDb();
    const row = fc.record<Row>({
      name: text,
      description: text,
      sku: fc.uuid().chain((end) => text.map((value) => `${value.replaceAll(' ', '-')}-${end.slice(0, 4)}`)),
      status: fc.constantFrom('ACTIVE', 'ACTIVE', 'DRAFT'),
    });
    const rows = fc.sample(row, { numRuns: 60, seed: 7 });
    await insertRows(
      db,
      rows.filter(({ sku }, at) => rows.findIndex((other) => other.sku === sku) === at),
    );
  });

  const findIds = async (query: string, support: SearchSupport) => {
    const search = buildTextSearchSql(query, support);
    if (!search) return [];
    const [matched, mismatched] = await Promise.all([
      db.sql<{ id: string }>(
        `select m.product_id as id from (${search.matchingIdsSql(2)}) m (product_id) order by id`,
        [businessId, ...search.params],
      ),
      db.sql<{ id: string }>(
        `select k.id from products k where k.business_id = $1 and (k.id in (${search.matchingIdsSql(2)})) = (${search.probeSql(2)}) is not true`,
        [businessId, ...search.params],
      ),
    ]);
    return [matched.map(({ id }) => id), mismatched.map(({ id }) => id)];
  };

  it('finds the same products for any frequencies', async () => {
    const hasTrigrams = await hasTrigramSupport(db);
    const frequencies = fc.dictionary(
      fc.constantFrom(...words, 'sampl', 'kettl'),
      fc.constantFrom(0.001, 0.1, 1),
    );
    let optimised = 0;
    await fc.assert(
      fc.asyncProperty(
        text,
        frequencies,
        frequencies,
        fc.boolean(),
        async (query, listings, skus, useTrigrams) => {
          const [ofListings, ofSkus] = [listings, skus].map((parts) =>
            createWordFrequencyEstimator(Object.entries(parts)),
          );
          if (!ofListings || !ofSkus) throw new Error('Expected two estimates.');
          const plain = { hasTrigrams: hasTrigrams && useTrigrams, frequencies: undefined };
          const support = { ...plain, frequencies: { listings: ofListings, skus: ofSkus } };
          const [before, after] = [buildTextSearchSql(query, plain), buildTextSearchSql(query, support)];
          optimised += Number(before?.params.length !== after?.params.length);
          expect([after?.rankSql(2), after?.rankParams]).toEqual([before?.rankSql(2), before?.rankParams]);
          expect(await findIds(query, support)).toEqual(await findIds(query, plain));
        },
      ),
      { numRuns: 150 },
    );
    expect(optimised).toBeGreaterThan(20);
  });
});

describe.runIf(onPostgres)('in a large shop', () => {
  interface PlanNode {
    'Node Type': string;
    'Actual Rows': number;
    'Actual Loops': number;
    'Index Name'?: string;
    'Shared Hit Blocks': number;
    'Shared Read Blocks': number;
    Plans?: PlanNode[];
  }
  const size = 20_000;
  let large: Db;

  beforeAll(async () => {
    large = await testDb();
    await insertRows(
      large,
      Array.from({ length: size }, (_one, at) => ({
        name: `Sample ${at}`,
        description: 'One of a large catalogue',
        sku: `SAMPLE-${at}`,
        status: 'ACTIVE' as const,
      })),
    );
    await large.script('vacuum analyze');
  });

  const all = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(all)];

  /** Rows from the word indexes and blocks read, for a prepared statement. */
  async function costOf(run: (ctx: Context) => Promise<unknown>) {
    const plans: PlanNode[] = [];
    const explain = async <Row>(text: string, params: readonly unknown[] = []): Promise<Row[]> => {
      if (!text.includes('to_tsquery')) return large.sql(text, params);
      const literals = params.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
      await large.transaction(async (tx) => {
        await tx.sql(`prepare search_query as ${text}`);
        const [row] = await tx.sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `explain (analyze, buffers, format json) execute search_query(${literals.join(', ')})`,
        );
        await tx.sql('deallocate search_query');
        if (row) plans.push(row['QUERY PLAN'][0].Plan);
      });
      return [];
    };
    const ctx = {
      db: { ...large, sql: explain },
      viewer: { userIdForPermissionSql: () => null },
      keys: { secret: new Uint8Array(32) },
    };
    await run(ctx as unknown as Context);
    const nodes = plans.flatMap(all);
    const scans = nodes.filter((node) => /search_idx|sku_words_idx|trigram/.test(node['Index Name'] ?? ''));
    expect(scans.length).toBeGreaterThan(0);
    const sum = (of: (node: PlanNode) => number) => scans.reduce((total, node) => total + of(node), 0);
    const fullScans = nodes.filter((node) => node['Node Type'] === 'Seq Scan' && node['Actual Rows'] > 1);
    return {
      fullScans: fullScans.length,
      rows: sum((node) => node['Actual Rows'] * node['Actual Loops']),
      blocks: sum((node) => node['Shared Hit Blocks'] + node['Shared Read Blocks']),
    };
  }

  const listBy = (more: Partial<ListProductsArgs>) => (ctx: Context) =>
    searchProducts(ctx, { businessId, first: 20, ...more } as ListProductsArgs, async () => {});
  const operations: [string, (query: string) => (ctx: Context) => Promise<unknown>][] = [
    ['a page', (query) => listBy({ query })],
    ['a page by relevance', (query) => listBy({ query, sort: 'RELEVANCE' })],
    ['the count', (query) => async (ctx) => (await listBy({ query })(ctx)).totalCount()],
    ['suggestions', (query) => (ctx) => loadSearchSuggestions(ctx, { businessId, text: query, first: 8 })],
  ];

  it.each(operations)(
    '%s for a frequent and a rare word costs as much as for the rare one',
    async (_label, run) => {
      for (const word of ['7777', 'xylophone']) {
        const [rare, both] = [await costOf(run(word)), await costOf(run(`sample ${word}`))];
        expect(both.rows, word).toBeLessThanOrEqual(rare.rows);
        expect(both.blocks, word).toBeLessThanOrEqual(rare.blocks + 5);
        expect(both.fullScans, word).toBe(0);
      }
    },
  );

  it('disables parallel workers, whose start would take longer than a search', async () => {
    const setting = `select current_setting('max_parallel_workers_per_gather') as workers`;
    expect([await large.sql(setting), await large.shortRead(setting)]).toEqual([
      [{ workers: '0' }],
      [{ workers: '0' }],
    ]);
  });

  it('loads the statistics every five minutes in the background', async () => {
    let queryCount = 0;
    let respond = () => {};
    const slow: Db['shortRead'] = async (text, params) => {
      queryCount += 1;
      if (queryCount > 1)
        await new Promise<void>((resolve) => {
          respond = resolve;
        });
      if (queryCount > 2) throw new Error('The database is unavailable.');
      return large.shortRead(text, params);
    };
    const fresh = {
      shortRead: slow,
      recordCache: Object.create(large.recordCache) as Db['recordCache'],
      embedded: false,
    };
    const [first, same] = await Promise.all([
      loadWordFrequencyEstimators(fresh, 0),
      loadWordFrequencyEstimators(fresh, 1),
    ]);
    expect([queryCount, first, first?.listings('sample'), first?.skus('sample')]).toEqual([1, same, 1, 1]);
    expect(await loadWordFrequencyEstimators(fresh, 300_000)).toBe(first);
    expect([queryCount, await loadWordFrequencyEstimators(fresh, 300_001)]).toEqual([2, first]);
    respond();
    await expect.poll(() => loadWordFrequencyEstimators(fresh, 300_002)).not.toBe(first);
    const second = await loadWordFrequencyEstimators(fresh, 300_003);
    expect(await loadWordFrequencyEstimators(fresh, 600_000)).toBe(second);
    respond();
    await new Promise((resolve) => setImmediate(resolve));
    expect([queryCount, await loadWordFrequencyEstimators(fresh, 600_001)]).toEqual([3, second]);
  });
});
