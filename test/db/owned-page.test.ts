/** A page reads only its own rows from the index, even if other owners have newer rows. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../src/db/handles.ts';
import { loadOwnedPage } from '../../src/db/pages/owned-page.ts';
import { definePageRecordSource } from '../../src/db/pages/page-record-source.ts';
import { buildProductVisibilityConditionSql } from '../../src/domains/products/read/visibility-sql.ts';
import { newId } from '../../src/lib/ids.ts';
import { createCursorCodec } from '../../src/lib/paging.ts';
import { testDb } from '../support/database.ts';

const secret = new Uint8Array(32);
const [small, large] = [newId(), newId()];
let db: Db;

beforeAll(async () => {
  db = await testDb();
  for (const id of [small, large]) {
    await db.write(
      'insert into businesses (id, name, slug, created_at, updated_at) values ($1, $2, $2, 1, 1)',
      [id, id],
    );
  }
  const fill = `insert into products (id, business_id, slug, name, statuses, document, created_at, updated_at)
    select overlay(md5(n::text) placing $2 || lpad(to_hex(n), 8, '0') from 1)::uuid, $1, 'p' || n, 'p', '[{"status":"ACTIVE"}]', $4::jsonb, 1, 1
    from generate_series(1, $3::int) n`;
  // As wide as real products, because the planner estimates the blocks to read.
  const document = JSON.stringify({ description: 'x'.repeat(1500) });
  // ANALYZE runs while the large business has all rows; afterwards it has the oldest ones.
  await db.write(fill, [large, '0190', 2000, document]);
  await db.script('analyze products');
  await db.write(fill, [small, '0199', 1500, document]);
});

afterAll(() => db.close());

interface Plan {
  'QUERY PLAN': [{ Plan: PlanNode }];
}

interface PlanNode {
  'Node Type': string;
  'Actual Rows': number;
  'Index Name'?: string;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

/** Runs the statement of a page with a generic plan, as in production, and returns the plan node that reads the rows. */
async function planOf(businessId: string, after?: string): Promise<PlanNode> {
  const plans: PlanNode[] = [];
  const explain = async <Row>(text: string, params: readonly unknown[] = []) => {
    const literals = params.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
    const [row] = await db.transaction(async (tx) => {
      await tx.sql(`prepare page as ${text}`);
      const explained = await tx.sql<Plan>(
        `explain (analyze, buffers, format json) execute page(${literals.join(', ')})`,
      );
      await tx.sql('deallocate page');
      return explained;
    });
    if (row) plans.push(row['QUERY PLAN'][0].Plan);
    return [] as Row[];
  };
  const list = `products:${businessId}`;
  const cursor = after === undefined ? undefined : createCursorCodec(secret, list).encode(after);
  await loadOwnedPage(
    { db: { ...db, sql: explain, shortRead: explain }, keys: { secret } },
    {
      list,
      args: { first: 20, after: cursor },
      records: versionRecords,
      owner: 'p.business_id',
      params: [businessId, null],
      conditions: [buildProductVisibilityConditionSql('$1', '$2')],
    },
  );
  const scan = plans[0] && scanNode(plans[0]);
  if (!scan) throw new Error('No plan.');
  return scan;
}

const versionRecords = definePageRecordSource({
  columns: 'p.id, p.version',
  table: 'products p',
  toNodes: (_rows: readonly object[], _params: readonly unknown[]): { id: string }[] => [],
});

const idRecords = definePageRecordSource({
  columns: 'p.id',
  table: 'products p',
  toNodes: (rows: readonly { id: string }[], _params: readonly unknown[]) => rows.map(({ id }) => ({ id })),
});

/** Innermost plan node that returns the rows. */
function scanNode(node: PlanNode): PlanNode {
  const below = node.Plans?.find((child) => child['Actual Rows'] > 1);
  return below ? scanNode(below) : node;
}

const deep = async (businessId: string) => {
  const [row] = await db.sql<{ id: string }>(
    'select id from products where business_id = $1 order by id offset 100 limit 1',
    [businessId],
  );
  return row?.id;
};

test.each([
  ['the first page of the business with the oldest products', large, undefined],
  ['a deep page of it', large, deep],
  ['the first page of the other business', small, undefined],
  ['a deep page of the other business', small, deep],
])('%s is an index scan without filtered rows', async (_case, businessId, depth) => {
  const scan = await planOf(businessId, await depth?.(businessId));
  expect(scan).toMatchObject({
    'Node Type': expect.stringMatching(/^Index/),
    'Index Name': expect.stringMatching(/^products_business_id_(?:status_)?id_idx$/),
    'Actual Rows': 21,
  });
  expect(scan['Rows Removed by Filter'] ?? 0).toBe(0);
});

test.each([
  ['the business with the oldest products', large],
  ['the other', small],
])('a deep page of %s reads no more blocks than the first', async (_case, businessId) => {
  const blocks = (scan: PlanNode) => scan['Shared Hit Blocks'] + scan['Shared Read Blocks'];
  const first = await planOf(businessId);
  const far = await planOf(businessId, await deep(businessId));
  expect(blocks(far)).toBeLessThanOrEqual(blocks(first) + 3);
});

test('pages of one tick are batched, with the same results as single reads', async () => {
  const list = `products:${large}`;
  const { encode } = createCursorCodec(secret, list);
  const ids = await db.sql<{ id: string }>(
    'select id from products where business_id = $1 order by id desc limit 40',
    [large],
  );
  const sentStatements: string[] = [];
  const countingDb: Db = {
    ...db,
    shortRead(text, params) {
      sentStatements.push(text);
      return db.shortRead(text, params);
    },
  };
  const read = (after: string) =>
    loadOwnedPage(
      { db: countingDb, keys: { secret } },
      {
        list,
        args: { first: 20, after: encode(after) },
        records: idRecords,
        owner: 'p.business_id',
        params: [large, null],
        conditions: [buildProductVisibilityConditionSql('$1', '$2')],
      },
    );
  const oldest = '01900000-0000-0000-0000-000000000000';
  const keys = [...ids.map(({ id }) => id), ids[3]?.id ?? '', oldest];
  const summarize = (pages: { nodes: readonly { id: string }[]; hasNextPage: boolean }[]) =>
    pages.map(({ nodes, hasNextPage }) => ({ nodes: nodes.map(({ id }) => id), hasNextPage }));
  const batched = summarize(await Promise.all(keys.map(read)));
  const statements = sentStatements.splice(0);
  const single = [];
  for (const key of keys) single.push(await read(key));
  expect(batched).toEqual(summarize(single));
  expect(batched.at(-1)).toEqual({ nodes: [], hasNextPage: false });
  // 41 distinct pages, at most 32 per statement.
  expect(statements).toHaveLength(2);
  expect(sentStatements).toHaveLength(keys.length);
});
