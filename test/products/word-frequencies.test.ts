/** What is known of common words makes a search quick, and is never seen in what it finds. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import type { Db } from '../../src/db/handles.ts';
import { hasTrigramSupport } from '../../src/db/pg-trgm-support.ts';
import type { ProductListArgs } from '../../src/domains/products/search/schemas.ts';
import { searchProducts } from '../../src/domains/products/search/search-products.ts';
import { loadSuggestions } from '../../src/domains/products/search/suggestions.ts';
import { buildTextSearch, type SearchSupport } from '../../src/domains/products/search/text-search.ts';
import {
  createFrequencyEstimate,
  loadWordFrequencies,
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

/** As triggers would leave them, many times faster. */
async function fill(on: Db, rows: readonly Row[]): Promise<void> {
  await on.sql(
    'insert into businesses (id, name, slug, created_at, updated_at) values ($1, $2, $2, 1, 1) on conflict do nothing',
    [businessId, businessId],
  );
  const params = [businessId, JSON.stringify(rows.map((row) => ({ ...row, id: newId() })))];
  await on.transaction(async (tx) => {
    await tx.sql('set local session_replication_role = replica');
    const given =
      'jsonb_to_recordset($2::jsonb) r (id uuid, name text, description text, sku text, status text)';
    await tx.sql(
      `insert into products (id, business_id, slug, name, category, statuses, document, created_at, updated_at)
       select r.id, $1, r.id, r.name, '', jsonb_build_array(jsonb_build_object('status', r.status)),
         jsonb_build_object('description', r.description, 'width', repeat('x', 1500)), 1, 1 from ${given}`,
      params,
    );
    await tx.sql(
      `insert into variants (id, product_id, business_id, position, sku, tracked, quantity)
       select r.id, r.id, $1, 1, r.sku, false, 0 from ${given}`,
      params,
    );
    await tx.sql(
      `insert into product_listings (product_id, business_id, name, search, created_at, updated_at)
       select r.id, $1, lower(r.name), product_words(r.name, '', jsonb_build_object('description', r.description)), 1, 1 from ${given}`,
      params,
    );
  });
}

describe('of words', () => {
  const isCommon = createFrequencyEstimate([
    ['sampl', 1],
    ['happi', 0.5],
    ['mug', 0.05],
    ['s', 0.6],
    ['run', 0.3],
    ['runner', 0.2],
  ]);

  test('long ones are no trouble to know, and known', () => {
    const long = (number: number) => `${number}q`.padEnd(2000, 'xyz');
    const begun = performance.now();
    const isLong = createFrequencyEstimate(
      Array.from({ length: 1000 }, (_, number) => [long(number), 0.5] as const),
    );
    expect(performance.now() - begun).toBeLessThan(1000);
    expect([isLong(long(7)), isLong(long(7).slice(0, 500)), isLong('7q'), isLong('8qyx')]).toEqual([
      0.5,
      0.5,
      0.5,
      10 ** -4,
    ]);
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
    // A letter that stands everywhere says nothing of words that begin with it.
    ['sample sprocket', 'sprocket'],
    // What is short is the beginning of much, whether or not it is known.
    ['sample 1', undefined],
    ['mug 12', undefined],
    ['sample happy', undefined],
    ['sample', undefined],
    ['kettle', 'kettle'],
  ])('of "%s" it looks for "%s" first', (words, rare) => {
    expect(selectRareWords(words.split(' '), isCommon)?.join(' ')).toBe(rare);
  });
});

describe('with and without', () => {
  const pool = [
    'sample',
    'samples',
    'mug',
    'kettle',
    'kettel',
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
    .map((some) => some.join(' '));

  beforeAll(async () => {
    db = await testDb();
    const row = fc.record<Row>({
      name: text,
      description: text,
      sku: fc.uuid().chain((end) => text.map((some) => `${some.replaceAll(' ', '-')}-${end.slice(0, 4)}`)),
      status: fc.constantFrom('ACTIVE', 'ACTIVE', 'DRAFT'),
    });
    const rows = fc.sample(row, { numRuns: 60, seed: 7 });
    await fill(
      db,
      rows.filter(({ sku }, at) => rows.findIndex((other) => other.sku === sku) === at),
    );
  });

  const found = async (asked: string, known: SearchSupport) => {
    const search = buildTextSearch(asked, known);
    if (!search) return [];
    const [listed, probed] = await Promise.all([
      db.sql<{ id: string }>(
        `select m.product_id as id from (${search.matching(2)}) m (product_id) order by id`,
        [businessId, ...search.params],
      ),
      db.sql<{ id: string }>(
        `select k.id from products k where k.business_id = $1 and (k.id in (${search.matching(2)})) = (${search.probe(2)}) is not true`,
        [businessId, ...search.params],
      ),
    ]);
    return [listed.map(({ id }) => id), probed.map(({ id }) => id)];
  };

  it('finds the same, whatever is thought to be common', async () => {
    const forgiving = await hasTrigramSupport(db);
    const thought = fc.dictionary(
      fc.constantFrom(...words, 'sampl', 'kettl'),
      fc.constantFrom(0.001, 0.1, 1),
    );
    let quickened = 0;
    await fc.assert(
      fc.asyncProperty(text, thought, thought, fc.boolean(), async (asked, listings, skus, forgives) => {
        const [one, other] = [listings, skus].map((parts) => createFrequencyEstimate(Object.entries(parts)));
        if (!one || !other) throw new Error('There are two.');
        const plain = { forgiving: forgiving && forgives, common: undefined };
        const known = { ...plain, common: { listings: one, skus: other } };
        const [before, after] = [buildTextSearch(asked, plain), buildTextSearch(asked, known)];
        quickened += Number(before?.params.length !== after?.params.length);
        expect([after?.rank(2), after?.rankParams]).toEqual([before?.rank(2), before?.rankParams]);
        expect(await found(asked, known)).toEqual(await found(asked, plain));
      }),
      { numRuns: 150 },
    );
    expect(quickened).toBeGreaterThan(20);
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
    await fill(
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

  /** What the indexes of words give and how much of them is read, prepared as it always is. */
  async function costOf(run: (ctx: Context) => Promise<unknown>) {
    const plans: PlanNode[] = [];
    const explain = async <Row>(text: string, params: readonly unknown[] = []): Promise<Row[]> => {
      if (!text.includes('to_tsquery')) return large.sql(text, params);
      const literals = params.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
      await large.transaction(async (tx) => {
        await tx.sql(`prepare asked as ${text}`);
        const [row] = await tx.sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `explain (analyze, buffers, format json) execute asked(${literals.join(', ')})`,
        );
        await tx.sql('deallocate asked');
        if (row) plans.push(row['QUERY PLAN'][0].Plan);
      });
      return [];
    };
    const ctx = { db: { ...large, sql: explain }, viewer: {}, keys: { secret: new Uint8Array(32) } };
    await run(ctx as unknown as Context);
    const nodes = plans.flatMap(all);
    const scans = nodes.filter((node) => /search_idx|sku_words_idx|trigram/.test(node['Index Name'] ?? ''));
    expect(scans.length).toBeGreaterThan(0);
    const sum = (of: (node: PlanNode) => number) => scans.reduce((total, node) => total + of(node), 0);
    const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan' && node['Actual Rows'] > 1);
    return {
      passed: whole.length,
      rows: sum((node) => node['Actual Rows'] * node['Actual Loops']),
      blocks: sum((node) => node['Shared Hit Blocks'] + node['Shared Read Blocks']),
    };
  }

  const listed = (more: Partial<ProductListArgs>) => (ctx: Context) =>
    searchProducts(ctx, { businessId, first: 20, ...more } as ProductListArgs, async () => {});
  const ways: [string, (query: string) => (ctx: Context) => Promise<unknown>][] = [
    ['a page', (query) => listed({ query })],
    ['a page by relevance', (query) => listed({ query, sort: 'RELEVANCE' })],
    ['the count', (query) => async (ctx) => (await listed({ query })(ctx)).totalCount()],
    ['suggestions', (query) => (ctx) => loadSuggestions(ctx, { businessId, text: query, first: 8 })],
  ];

  it.each(ways)('%s for a common word and a rare one costs what the rare one does', async (_name, way) => {
    for (const word of ['7777', 'xylophone']) {
      const [rare, both] = [await costOf(way(word)), await costOf(way(`sample ${word}`))];
      expect(both.rows, word).toBeLessThanOrEqual(rare.rows);
      expect(both.blocks, word).toBeLessThanOrEqual(rare.blocks + 5);
      expect(both.passed, word).toBe(0);
    }
  });

  it('starts no workers: a search is done before they are there', async () => {
    const asked = `select current_setting('max_parallel_workers_per_gather') as workers`;
    expect([await large.sql(asked), await large.shortRead(asked)]).toEqual([
      [{ workers: '0' }],
      [{ workers: '0' }],
    ]);
  });

  it('asks for the statistics once in five minutes, and nobody waits for newer ones', async () => {
    let asked = 0;
    let answer = () => {};
    const slow: Db['shortRead'] = async (text, params) => {
      asked += 1;
      if (asked > 1)
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
      if (asked > 2) throw new Error('It is gone.');
      return large.shortRead(text, params);
    };
    const fresh = {
      shortRead: slow,
      recordCache: Object.create(large.recordCache) as Db['recordCache'],
      embedded: false,
    };
    const [first, same] = await Promise.all([loadWordFrequencies(fresh, 0), loadWordFrequencies(fresh, 1)]);
    expect([asked, first, first?.listings('sample'), first?.skus('sample')]).toEqual([1, same, 1, 1]);
    expect(await loadWordFrequencies(fresh, 300_000)).toBe(first);
    expect([asked, await loadWordFrequencies(fresh, 300_001)]).toEqual([2, first]);
    answer();
    await expect.poll(() => loadWordFrequencies(fresh, 300_002)).not.toBe(first);
    const second = await loadWordFrequencies(fresh, 300_003);
    expect(await loadWordFrequencies(fresh, 600_000)).toBe(second);
    answer();
    await new Promise((resolve) => setImmediate(resolve));
    expect([asked, await loadWordFrequencies(fresh, 600_001)]).toEqual([3, second]);
  });
});
