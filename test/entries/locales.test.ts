/** Locale selection: each text is returned in the first requested locale that has one. */
import { beforeAll, describe, expect, it } from 'vitest';
import { findFirstLocaleText } from '../../src/domains/blocks/localized-text.ts';
import {
  createCollection,
  createEntry,
  type Entry,
  editor,
  entries,
  guest,
  shop,
  slugBlock,
  t,
  titleBlock,
} from './setup.ts';

interface LocalizedEntry extends Entry {
  blockLocales?: object[];
}

let blog: { id: string };
let id: string;
const texts = { en: 'Hello', 'de-AT': 'Servus', de: '' };
beforeAll(async () => {
  const blocks = [
    { id: 'title', type: 'TEXT' },
    { id: 'slug', type: 'TEXT' },
  ];
  blog = await createCollection({ status: 'PUBLISHED', blocks });
  const values = [titleBlock(texts), slugBlock('greeting')];
  id = (await createEntry({ collectionId: blog.id, blocks: values, status: 'PUBLISHED' })).body.id;
});

const get = (query: string) => t.rest<LocalizedEntry>('GET', `${entries}/${id}${query}`, { as: guest });
const list = (query: string) =>
  t.rest<{ items: LocalizedEntry[]; cursor: string }>('GET', `${entries}?collectionId=${blog.id}&${query}`, {
    as: guest,
  });

describe('requested locales', () => {
  it.each([
    ['de-AT,en', 'Servus', 'de-AT'],
    ['DE_at', 'Servus', 'de-AT'],
    ['de,en', 'Hello', 'en'],
    ['fr,en-GB,de-AT', 'Hello', 'en'],
    ['fr', undefined, undefined],
  ])('%s select %s', async (locale, value, selectedLocale) => {
    const allLocales = (await get('')).body;
    expect(allLocales.blocks).toEqual([titleBlock(texts), slugBlock('greeting')]);
    expect((await get(`?locale=${locale}`)).body).toEqual({
      ...allLocales,
      blocks: [
        value === undefined ? { id: 'title', type: 'TEXT' } : titleBlock(value),
        slugBlock('greeting'),
      ],
      blockLocales: [
        selectedLocale === undefined ? { block: 'title' } : { block: 'title', locale: selectedLocale },
      ],
    });
    expect((await list(`inLocales=${locale}`)).body.items).toEqual([(await get(`?locale=${locale}`)).body]);
  });

  it('do not affect stored values, cursors, the number of SQL statements and slug redirects', async () => {
    await createEntry({ collectionId: blog.id, blocks: [titleBlock({ en: 'Bye' })], status: 'PUBLISHED' });
    const first = await list('limit=1&inLocales=en&sort=UPDATED');
    const next = await list(`limit=1&inLocales=en&sort=UPDATED&cursor=${first.body.cursor}`);
    const titles = [...first.body.items, ...next.body.items].map(({ blocks }) => blocks[0]?.value);
    expect(titles.sort()).toEqual(['Bye', 'Hello']);
    const counts: number[] = [];
    for (const query of ['limit=2', 'limit=2&inLocales=en']) {
      t.statements.length = 0;
      await list(query);
      counts.push(t.statements.length);
    }
    expect(counts[1]).toBe(counts[0]);
    await t.rest('PUT', `${entries}/${id}`, {
      as: editor,
      body: { blocks: [titleBlock(texts), slugBlock({ en: 'hi', de: 'hallo' })] },
    });
    expect((await t.rest('GET', `${entries}/greeting?locale=de`, { as: guest })).body).toMatchObject({
      redirect: { from: 'greeting', to: 'hi' },
      blocks: [{ id: 'title' }, slugBlock('hallo')],
      blockLocales: [{ block: 'title' }, { block: 'slug', locale: 'de' }],
    });
  });

  it('are rejected when malformed or more than 20', async () => {
    for (const locale of ['?', 'en,%00', 'x'.repeat(36), Array(21).fill('en').join()]) {
      expect([locale, (await get(`?locale=${locale}`)).status]).toEqual([locale, 422]);
      expect([locale, (await list(`inLocales=${locale}`)).status]).toEqual([locale, 422]);
    }
    const query =
      'query($b: ID!, $id: ID!) { entry(businessId: $b, id: $id, locale: []) { blocks { value } } }';
    const { data } = await t.graphql(query, { b: shop.businessId, id }, { as: guest });
    expect(data).toEqual({ entry: { blocks: [{ value: texts }, { value: { en: 'hi', de: 'hallo' } }] } });
  });
});

it('ignores inherited object properties and values that are not text', () => {
  expect(findFirstLocaleText({ constructor: 'x' }, ['__proto__', 'toString'])).toBeUndefined();
  expect(findFirstLocaleText({ en: null, de: 7 }, ['en', 'de'])).toBeUndefined();
});
