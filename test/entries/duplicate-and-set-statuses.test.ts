/** duplicateEntry and setEntryStatuses. */
import { describe, expect, it } from 'vitest';
import type { QueryHandle } from '../../src/db/handles.ts';
import type { Entry as EntryRecord } from '../../src/domains/entries/model.ts';
import { copyBlocksWithFreeSlug } from '../../src/domains/entries/slugs/copy-blocks-with-free-slug.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Person } from '../support/app.ts';
import {
  createCollection,
  createEntry,
  editor,
  entries,
  guest,
  other,
  shop,
  slugBlock,
  t,
  titleBlock,
} from './setup.ts';

interface Copy {
  id: string;
  version: number;
  blocks: object[];
  statuses: object[];
}
const duplicate = (id: string, as: Person | undefined = editor, headers = {}) =>
  t.rest<Copy>('POST', `${entries}/${id}/duplicate`, { as, headers });

describe('duplicateEntry', () => {
  it('creates a draft with its own slug, once per idempotency key', async () => {
    const blog = await createCollection();
    const name = newId();
    const { body } = await createEntry({
      collectionId: blog.id,
      locale: 'de',
      blocks: [titleBlock('Hello'), slugBlock({ en: `en-${name}`, de: `de-${name}` })],
      status: 'PUBLISHED',
    });
    await t.rest('PUT', `${entries}/${body.id}/schedule`, {
      as: editor,
      body: { unpublishAt: 1_900_000_000 },
    });
    const headers = { 'idempotency-key': newId() };
    const [first, again] = [
      await duplicate(body.id, editor, headers),
      await duplicate(body.id, editor, headers),
    ];
    expect(first.body).toEqual({
      ...body,
      id: first.body.id,
      version: 1,
      blocks: [titleBlock('Hello'), slugBlock({ en: `en-${name}-copy`, de: `de-${name}-copy` })],
      statuses: [expect.objectContaining({ status: 'DRAFT', changedBy: 'USER' })],
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    expect(first.body.id).not.toBe(body.id);
    expect(again.body).toEqual(first.body);
    const second = await duplicate(body.id);
    expect(second.body.blocks[1]).toEqual(slugBlock({ en: `en-${name}-copy-2`, de: `de-${name}-copy-2` }));
    expect((await t.rest('GET', `${entries}/${first.body.id}`, { as: guest })).status).toBe(404);
  });

  it('copies entries without slug, and requires the permissions of the original', async () => {
    const blog = await createCollection();
    const { body } = await createEntry({ collectionId: blog.id, blocks: [titleBlock('Plain')] });
    expect((await duplicate(body.id)).body.blocks).toEqual([titleBlock('Plain')]);
    for (const [as, status] of [
      [guest, 403],
      [other.admin, 404],
      [await t.withApiKey(shop.admin, ['PRODUCTS_WRITE']), 403],
    ] as const)
      expect((await duplicate(body.id, as)).status).toBe(status);
    expect((await t.rest('POST', `${entries}/${body.id}/duplicate`)).status).toBe(401);
    const elsewhere = `/v1/businesses/${other.businessId}/entries/${body.id}/duplicate`;
    expect((await t.rest('POST', elsewhere, { as: other.admin })).status).toBe(404);
  });
});

it('queries free slugs in batches of 1000 and skips texts above 200 characters', async () => {
  const texts = Object.fromEntries(
    Array.from({ length: 200 }, (_none, index) => [
      `l${index}`,
      index % 2 ? 'x'.repeat(100_000) : `${index}-${'y'.repeat(190)}`,
    ]),
  );
  const queriedSlugs: string[][] = [];
  const queries = {
    sql: async (_statement: string, [, addresses]: [string, string[]]) => {
      queriedSlugs.push(addresses);
      return [{ slugs: addresses }];
    },
  } as unknown as QueryHandle;
  const entry = { businessId: shop.businessId, blocks: [slugBlock(texts)] } as unknown as EntryRecord;
  const [copied] = await copyBlocksWithFreeSlug(queries, entry);
  expect(Object.keys(copied?.value as object)).toHaveLength(200);
  expect(copied?.value).toMatchObject({ l0: `${texts.l0}-copy-101`, l1: `${texts.l1}-copy-101` });
  expect(queriedSlugs).toHaveLength(10);
  expect(queriedSlugs.every((addresses) => addresses.length === 1000)).toBe(true);
  expect(queriedSlugs.flat().every(({ length }) => length < 210)).toBe(true);
});

describe('setEntryStatuses', () => {
  const setStatuses = (ids: unknown, status: unknown, as: Person | undefined = editor) =>
    t.rest<{ results: object[] }>('POST', `${entries}/statuses`, { as, body: { ids, status } });
  const createEntries = async (count: number, status = 'DRAFT') => {
    const blog = await createCollection();
    const answers = [];
    for (let number = 0; number < count; number += 1)
      answers.push(await createEntry({ collectionId: blog.id, blocks: [titleBlock(`${number}`)], status }));
    return answers.map(({ body }) => body.id);
  };

  it('changes all entries with a constant number of SQL statements', async () => {
    const [[first = '', second = '', ...rest], [done = '']] = [
      await createEntries(6),
      await createEntries(1, 'PUBLISHED'),
    ];
    const countStatements = async (ids: string[]) => {
      const before = t.statements.length;
      const answer = await setStatuses(ids, 'PUBLISHED');
      return { answer, statements: t.statements.length - before };
    };
    const missing = newId();
    const few = await countStatements([first, missing, done, 'no-id', second.toUpperCase()]);
    expect(few.answer.body).toEqual({
      results: [
        { id: first, result: 'CHANGED', entry: { id: first, version: 2, status: 'PUBLISHED' } },
        { id: missing, result: 'NOT_FOUND' },
        { id: done, result: 'UNCHANGED', entry: { id: done, version: 1, status: 'PUBLISHED' } },
        { id: 'no-id', result: 'NOT_FOUND' },
        {
          id: second.toUpperCase(),
          result: 'CHANGED',
          entry: { id: second, version: 2, status: 'PUBLISHED' },
        },
      ],
    });
    expect((await countStatements(rest)).statements).toBe(few.statements);
    const publicEntries = await Promise.all(
      [first, second, ...rest].map((id) => t.rest<Copy>('GET', `${entries}/${id}`, { as: guest })),
    );
    expect(publicEntries.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(publicEntries[0]?.body.statuses).toMatchObject([
      { status: 'DRAFT' },
      { status: 'PUBLISHED', changedBy: 'USER' },
    ]);
  });

  it('ignores entries of other businesses and requires CONTENT_WRITE', async () => {
    const [id = ''] = await createEntries(1, 'PUBLISHED');
    const foreign = await t.rest<{ results: object[] }>(
      'POST',
      `/v1/businesses/${other.businessId}/entries/statuses`,
      { as: other.admin, body: { ids: [id], status: 'DRAFT' } },
    );
    expect(foreign.body).toEqual({ results: [{ id, result: 'NOT_FOUND' }] });
    const limited = await t.withApiKey(shop.admin, ['PRODUCTS_WRITE']);
    for (const as of [guest, other.admin, limited])
      expect((await setStatuses([id], 'DRAFT', as)).status).toBe(403);
    expect((await t.rest('GET', `${entries}/${id}`, { as: guest })).body).toMatchObject({ version: 1 });
  });

  it.each([
    [[], 'DRAFT', 'ids'],
    [Array(101).fill('x'), 'DRAFT', 'ids'],
    [['x'], 'GONE', 'status'],
    [null, 'DRAFT', 'ids'],
  ])('rejects %o', async (ids, status, field) => {
    expect(await setStatuses(ids, status)).toMatchObject({ status: 422, body: { details: [{ field }] } });
  });
});
