/** Pagination: page sizes, cursors, hasNextPage and hasPreviousPage. */
import { describe, expect, it } from 'vitest';
import { toPrismaKeysetRange } from '../../src/db/pages/prisma-page.ts';
import {
  createCursorCodec,
  type KeyRange,
  loadKeysetPage,
  markPageTruncated,
  maxPageBytes,
  type PageArgs,
  parsePageSize,
} from '../../src/lib/paging.ts';
import { outcome } from './setup.ts';

const secret = Buffer.from('secret');
const { encode, decode } = createCursorCodec(secret, 'letters');
const letters = [...'abcdefghij'].map((id) => ({ id }));

/** In-memory list that returns slices like the database and records the requested slices. */
function listOf(all: readonly { id: string; text?: string }[]) {
  const requests: [KeyRange, number][] = [];
  const fetch = async (slice: KeyRange, limit: number) => {
    requests.push([slice, limit]);
    const { after = '', before = '~', backward } = slice;
    const within = all.filter(({ id }) => id > after && id < before);
    return (backward ? within.reverse() : within).slice(0, limit);
  };
  const of = (args: PageArgs) =>
    loadKeysetPage({
      secret,
      list: 'letters',
      args,
      keyOf: ({ id }) => id,
      fetch,
      count: async () => all.length,
    });
  return { requests, of };
}

const shown = async (args: PageArgs, all: readonly { id: string }[] = letters) => {
  const loadedPage = await listOf(all).of(args);
  const ids = loadedPage.nodes.map(({ id }) => id).join('');
  return [
    ids,
    loadedPage.hasPreviousPage instanceof Function && (await loadedPage.hasPreviousPage()),
    loadedPage.hasNextPage,
  ];
};

describe('a page', () => {
  it.each([
    ['the first', { first: 3 }, ['abc', false, true]],
    ['all', {}, ['abcdefghij', false, false]],
    ['exactly all', { first: 10 }, ['abcdefghij', false, false]],
    ['after one', { first: 3, after: encode('c') }, ['def', true, true]],
    ['after one, to the end', { first: 7, after: encode('c') }, ['defghij', true, false]],
    ['the last', { last: 3 }, ['hij', true, false]],
    ['all, backwards', { last: 10 }, ['abcdefghij', false, false]],
    ['before one', { last: 3, before: encode('h') }, ['efg', true, true]],
    ['right before one', { before: encode('c') }, ['ab', false, true]],
    ['the first before one', { first: 2, before: encode('h') }, ['ab', false, true]],
    ['all before one, forwards', { first: 9, before: encode('c') }, ['ab', false, true]],
    ['between two', { first: 9, after: encode('b'), before: encode('e') }, ['cd', true, true]],
    ['between two, backwards', { last: 1, after: encode('b'), before: encode('e') }, ['d', true, true]],
    ['after the last', { after: encode('j') }, ['', true, false]],
    ['before the first', { before: encode('a') }, ['', false, true]],
    ['with empty cursors', { after: '', before: '' }, ['abcdefghij', false, false]],
    ['with nulls', { first: null, last: null, after: null, before: null }, ['abcdefghij', false, false]],
  ] as [string, PageArgs, unknown][])('%s', async (_name, args, expected) => {
    expect(await shown(args)).toEqual(expected);
  });

  it('with a cursor of a deleted record reports no further page', async () => {
    expect(await shown({ before: encode('z') })).toEqual(['abcdefghij', false, false]);
    expect(await shown({ before: encode('z'), first: 2 })).toEqual(['ab', false, true]);
    expect(await shown({ after: encode('A') })).toEqual(['abcdefghij', false, false]);
    expect(await shown({ after: encode('a') }, [])).toEqual(['', false, false]);
  });

  it('fetches one more record than it returns, and queries the other side only on demand', async () => {
    const list = listOf(letters);
    const loadedPage = await list.of({ first: 3 });
    expect([
      await loadedPage.hasPreviousPage(),
      await loadedPage.totalCount(),
      loadedPage.cursorOf({ id: 'c' }),
    ]).toEqual([false, 10, encode('c')]);
    expect(list.requests).toEqual([[{ after: undefined, before: undefined, backward: false }, 4]]);
    const later = await list.of({ last: 3, before: encode('h') });
    expect(list.requests.slice(1)).toEqual([
      [{ after: undefined, before: 'h', backward: true }, 4],
      [{ after: 'g', backward: false }, 1],
    ]);
    expect([await later.hasPreviousPage(), list.requests.length]).toEqual([true, 3]);
    const middle = await list.of({ first: 2, after: encode('c') });
    await middle.hasPreviousPage();
    expect(list.requests.at(-1)).toEqual([{ before: 'd', backward: true }, 1]);
  });

  it('ends early when records are large, but contains at least one', async () => {
    const long = (length: number) => letters.map(({ id }) => ({ id, text: 'x'.repeat(length) }));
    expect(await shown({}, long(maxPageBytes))).toEqual(['a', false, true]);
    expect(await shown({}, long(maxPageBytes * 0.4))).toEqual(['ab', false, true]);
    expect((await shown({}, long(10)))[0]).toBe('abcdefghij');
  });

  it('has a next page when the fetched rows were cut short', async () => {
    const fetch = async () => markPageTruncated(letters.slice(0, 2));
    const rest = { secret, list: 'letters', args: { first: 5 }, keyOf: ({ id }: { id: string }) => id };
    const loadedPage = await loadKeysetPage({ ...rest, fetch, count: async () => 10 });
    expect([loadedPage.nodes.length, loadedPage.hasNextPage]).toEqual([2, true]);
    const plain = await loadKeysetPage({
      ...rest,
      fetch: async () => letters.slice(0, 2),
      count: async () => 2,
    });
    expect(plain.hasNextPage).toBe(false);
  });

  it('is the same object for the same array of nodes', async () => {
    const nodes = letters.slice(0, 2);
    const ask = () =>
      loadKeysetPage({
        secret,
        list: 'l',
        args: {},
        keyOf: ({ id }) => id,
        fetch: async () => nodes,
        count: async () => 2,
      });
    expect(await ask()).toBe(await ask());
  });
});

describe('a cursor', () => {
  it('can be decoded only for its own list', () => {
    expect(decode(encode('c'), 'after')).toBe('c');
    expect(encode('c')).not.toBe(createCursorCodec(secret, 'numbers').encode('c'));
    expect(encode('c')).toHaveLength(10);
    const fault = (field: string) => [`${field} INVALID_CURSOR The cursor is not one of this list.`];
    const bytes = Buffer.from(encode('c'), 'base64url');
    const foreign = [
      createCursorCodec(secret, 'numbers').encode('c'),
      createCursorCodec(Buffer.from('other'), 'letters').encode('c'),
      bytes.subarray(0, 6).toString('base64url'),
      encode(''),
      'c',
      Buffer.concat([bytes, Buffer.from('d')]).toString('base64url'),
    ];
    for (const cursor of foreign) expect(outcome(() => decode(cursor, 'before'))).toEqual(fault('before'));
    expect(outcome(() => decode('', 'after'))).toEqual(fault('after'));
  });

  it('is rejected under the argument it was sent in', async () => {
    await expect(shown({ after: 'x' })).rejects.toMatchObject({ details: [{ field: 'after' }] });
    await expect(shown({ before: 'x' })).rejects.toMatchObject({ details: [{ field: 'before' }] });
  });
});

it('the page size is 1 to 100, by default 20', async () => {
  expect([
    parsePageSize(undefined),
    parsePageSize(null),
    parsePageSize(1),
    parsePageSize(100),
    parsePageSize(101),
  ]).toEqual([20, 20, 1, 100, 100]);
  expect(outcome(() => parsePageSize(0))).toEqual(['first TOO_SMALL The page size must be at least 1.']);
  await expect(shown({ last: 0 })).rejects.toMatchObject({
    details: [{ field: 'last', error: 'TOO_SMALL' }],
  });
  await expect(shown({ first: 1, last: 1 })).rejects.toMatchObject({
    details: [{ field: 'last', error: 'INVALID_VALUE', message: 'Send first or last, not both.' }],
  });
});

it.each([
  [{ backward: false }, 'asc', {}, 'asc'],
  [{ backward: true }, 'asc', {}, 'desc'],
  [{ backward: false }, 'desc', {}, 'desc'],
  [{ backward: true }, 'desc', {}, 'asc'],
  [{ after: 'a', before: 'b', backward: false }, 'asc', { gt: 'a', lt: 'b' }, 'asc'],
  [{ after: 'a', before: 'b', backward: false }, 'desc', { gt: 'b', lt: 'a' }, 'desc'],
  [{ after: 'a', backward: true }, 'asc', { gt: 'a' }, 'desc'],
  [{ before: 'b', backward: false }, 'asc', { lt: 'b' }, 'asc'],
] as [KeyRange, 'asc' | 'desc', object, string][])(
  'reads slice %j of a list in %s order',
  (slice, order, range, direction) => {
    expect(toPrismaKeysetRange(slice, order)).toEqual({ range, direction });
  },
);
