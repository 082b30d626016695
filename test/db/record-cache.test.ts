/** Cached reads: one statement per tick, never a stale result, and to each viewer only what they may see. */
import { beforeEach, describe, expect, it } from 'vitest';
import { buildPermissionConditionSql } from '../../src/auth/permission-condition-sql.ts';
import { readOncePerTick } from '../../src/db/batching/tick-batching.ts';
import { type CurrentRecordVersion, defineCachedRecords } from '../../src/db/records/cached-records.ts';
import { attachRenderCache, RecordCache, renderCached } from '../../src/lib/cache/record-cache.ts';
import { newId } from '../../src/lib/ids.ts';
import { testDb } from '../support/database.ts';

interface Note {
  id: string;
  version: number;
  name: string;
  secret?: string | undefined;
}

const statements: string[] = [];
const db = await testDb({ onStatement: (text) => statements.push(text) });

const notes = defineCachedRecords({
  from: 'collections c',
  alias: 'c',
  columns: 'c.id, c.version, c.name, c.slug',
  read: ({ id, version, name, slug }: { id: string; version: number; name: string; slug: string }): Note => ({
    id,
    version,
    name,
    secret: slug,
  }),
  lookups: { id: { condition: 'c.id = q.key::uuid' }, slug: { condition: 'c.slug = q.key' } },
  isPublic: `c.status = 'PUBLISHED'`,
  isStaff: (business, user) => buildPermissionConditionSql(business, user, 'CONTENT_WRITE'),
  publicView: ({ secret: _secret, ...note }) => note,
  hasPersonalView: () => false,
})(db);

const [businessId, staffId, strangerId] = [newId(), newId(), newId()];
await db.write('insert into businesses (id, name, slug, created_at, updated_at) values ($1, $2, $2, 1, 1)', [
  businessId,
  businessId,
]);
for (const id of [staffId, strangerId])
  await db.write(`insert into users (id, name, created_at, updated_at) values ($1, 'a', 1, 1)`, [id]);
const roleId = newId();
await db.write(
  `insert into roles (id, business_id, name, permissions, created_at, updated_at) values ($1, $2, 'r', '{CONTENT_WRITE}', 1, 1)`,
  [roleId, businessId],
);
await db.write('insert into memberships (business_id, user_id, role_id, created_at) values ($1, $2, $3, 1)', [
  businessId,
  staffId,
  roleId,
]);

const add = async (name: string, status = 'PUBLISHED') => {
  const id = newId();
  await db.write(
    `insert into collections (id, business_id, slug, name, type, statuses, document, created_at, updated_at)
     values ($1, $2, $3, $3, '', $4::jsonb, '{}', 1, 1)`,
    [id, businessId, name, JSON.stringify([{ status }])],
  );
  return id;
};
const rename = (id: string, name: string) =>
  db.write('update collections set name = $2, version = version + 1 where id = $1', [id, name]);

beforeEach(async () => {
  await db.write('delete from collections');
  statements.length = 0;
});

const find = (key: string, reader: string | null = null) => notes.find('id', { businessId, key, reader });

it('shares a record between requests, which cannot modify it', async () => {
  const id = await add('shared');
  const [first, second] = [await find(id, staffId), await find(id, staffId)];
  expect(first).toBe(second);
  for (const record of [first, await find(id)])
    expect(() => Object.assign(record ?? {}, { name: 'changed' })).toThrow(/read only/);
  expect(await find(id, staffId)).toMatchObject({ name: 'shared' });
});

describe('one tick', () => {
  it('sends one statement for all viewers', async () => {
    const [open, draft] = [await add('open'), await add('draft', 'DRAFT')];
    statements.length = 0;
    const results = await Promise.all(
      [null, staffId, strangerId].flatMap((reader) => [
        find(open, reader),
        find(draft, reader),
        find(newId(), reader),
      ]),
    );
    expect(statements).toHaveLength(1);
    const seen = { id: open, version: 1, name: 'open' };
    expect(results).toEqual([
      seen,
      undefined,
      undefined,
      { ...seen, secret: 'open' },
      { id: draft, version: 1, name: 'draft', secret: 'draft' },
      undefined,
      seen,
      undefined,
      undefined,
    ]);
  });

  it('does not join a statement that was already sent', async () => {
    const id = await add('first');
    const earlyRead = find(id);
    // The first statement is sent at the end of this tick.
    await new Promise((resolve) => setImmediate(resolve));
    const changed = rename(id, 'second');
    await Promise.all([earlyRead, changed]);
    expect(await find(id)).toMatchObject({ name: 'second', version: 2 });
  });

  it('shares the result of identical statements only', async () => {
    const read = (n: number) => readOncePerTick(db, 'select $1::int as n', [n]);
    const [a, b, c] = await Promise.all([read(1), read(1), read(2)]);
    expect(statements).toHaveLength(2);
    expect(a).toBe(b);
    expect([a, c]).toEqual([[{ n: 1 }], [{ n: 2 }]]);
    expect(await read(1)).not.toBe(a);
  });

  it('fails all queries that share a statement, and no later one', async () => {
    const failing = () => readOncePerTick(db, 'select 1 / $1::int', [0]);
    expect((await Promise.allSettled([failing(), failing()])).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
    ]);
    expect(await readOncePerTick(db, 'select 1 as one', [])).toEqual([{ one: 1 }]);
  });
});

describe('a record', () => {
  it('is sent once per version', async () => {
    const id = await add('kept');
    const first = await find(id, staffId);
    expect(await find(id, staffId)).toBe(first);
    await rename(id, 'changed');
    const second = await find(id, staffId);
    expect(second).toEqual({ id, version: 2, name: 'changed', secret: 'kept' });
    expect(await find(id, staffId)).toBe(second);
  });

  it('is found by slug, also after slugs have changed', async () => {
    const id = await add('here');
    const bySlug = () => notes.find('slug', { businessId, key: 'here', reader: null });
    expect(await bySlug()).toBe(await bySlug());
    await db.write(`update collections set slug = 'gone', version = version + 1 where id = $1`, [id]);
    expect(await bySlug()).toBeUndefined();
    const otherSelection = await add('here');
    expect(await bySlug()).toMatchObject({ id: otherSelection, version: 1 });
  });

  it('is not found after it was deleted or hidden, or in another business', async () => {
    const id = await add('once');
    await find(id);
    expect(await notes.find('id', { businessId: newId(), key: id, reader: staffId })).toBeUndefined();
    await db.write(
      `update collections set statuses = '[{"status":"DRAFT"}]', version = version + 1 where id = $1`,
      [id],
    );
    expect(await find(id)).toBeUndefined();
    expect(await find(id, staffId)).toMatchObject({ version: 2 });
    await db.write('delete from collections where id = $1', [id]);
    expect(await find(id, staffId)).toBeUndefined();
  });

  it('is read for a page in its order, with one statement for all that are not cached', async () => {
    const ids = [await add('a'), await add('b'), await add('c')];
    await find(ids[1] as string);
    statements.length = 0;
    const page = (staff: boolean): CurrentRecordVersion[] => ids.map((id) => ({ id, version: 1, staff }));
    expect(
      (await notes.loadPageRecords(businessId, null, page(false))).map(({ name, secret }) => [name, secret]),
    ).toEqual([
      ['a', undefined],
      ['b', undefined],
      ['c', undefined],
    ]);
    expect(
      (await notes.loadPageRecords(businessId, staffId, page(true))).map(({ secret }) => secret),
    ).toEqual(['a', 'b', 'c']);
    expect(statements).toHaveLength(1);
  });
});

describe('rendered bodies', () => {
  const [selection, otherSelection] = [{}, {}];
  const text = (value: string) => () => ({ bytes: Buffer.from(value) });

  it('are rendered once per selection of a cached version', () => {
    const cache = new RecordCache(10_000);
    const record = cache.put('k', 1, { id: 'k' }, 10);
    expect(renderCached(record, selection, text('a')).bytes.toString()).toBe('a');
    expect(renderCached(record, selection, text('b')).bytes.toString()).toBe('a');
    expect(renderCached(record, otherSelection, text('c')).bytes.toString()).toBe('c');
    const next = cache.put('k', 2, { id: 'k' }, 10);
    expect(renderCached(next, selection, text('d')).bytes.toString()).toBe('d');
    expect(cache.get('k')).toMatchObject({ version: 2, record: next });
  });

  it('are rendered on every call for objects that are not cached', () => {
    expect([1, 2].map((n) => renderCached({ n }, selection, text(String(n))).bytes.toString())).toEqual([
      '1',
      '2',
    ]);
    const shared = attachRenderCache({});
    expect([1, 2].map((n) => renderCached(shared, selection, text(String(n))).bytes.toString())).toEqual([
      '1',
      '1',
    ]);
  });

  it('count towards the size limit: the least recently used record is evicted', () => {
    const cache = new RecordCache(1000);
    for (const key of ['a', 'b', 'c'])
      renderCached(cache.put(key, 1, { id: key }, 10), selection, () => ({ bytes: Buffer.alloc(300) }));
    expect(['a', 'b', 'c'].map((key) => cache.get(key) !== undefined)).toEqual([false, false, true]);
  });

  it('are limited per record', () => {
    const cache = new RecordCache(1_000_000);
    const record = cache.put('k', 1, { id: 'k' }, 10);
    const rendered: number[] = [];
    const read = (selection: object, n: number) =>
      renderCached(record, selection, () => {
        rendered.push(n);
        return { bytes: Buffer.alloc(10) };
      });
    const selections = Array.from({ length: 9 }, () => ({}));
    selections.forEach(read);
    read(selections[8] as object, 8);
    read(selections[0] as object, 0);
    expect(rendered).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 0]);
  });
});
