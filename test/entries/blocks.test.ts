/** Validation of every block type, and sanitising of hostile rich text. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { findTextInLocale } from '../../src/domains/blocks/localized-text.ts';
import { sanitizeRichText } from '../../src/domains/blocks/sanitize-html.ts';
import { defaultMaxBlockTextLength, validateBlockValue } from '../../src/domains/blocks/validate-value.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

const media = { id: 'm1', url: 'https://img.example/1.jpg', mimeType: 'image/jpeg' };
const options = { settings: { options: ['red', 'blue'] } };
type Rule = Parameters<typeof validateBlockValue>[0];

describe('validateBlockValue', () => {
  it.each([
    [{ type: 'TEXT' }, 'plain'],
    [{ type: 'TEXT' }, ''],
    [{ type: 'TEXT' }, null],
    [{ type: 'TEXT' }, { en: 'Hello', de_AT: 'Servus', 'zh-Hant-TW': '你好', fr: null }],
    [{ type: 'TEXT', settings: { maxLength: 2 } }, '😀😀'],
    [{ type: 'NUMBER' }, -1.5],
    [{ type: 'NUMBER' }, 0],
    [{ type: 'BOOLEAN' }, false],
    [{ type: 'DATE' }, 1_735_689_600],
    [{ type: 'DATE' }, -1],
    [{ type: 'RELATIONSHIP' }, '01900000-0000-7000-8000-00000000000b'],
    [{ type: 'GEO_LOCATION' }, { latitude: -90, longitude: 180 }],
    [{ type: 'MEDIA' }, media],
    [{ type: 'MEDIA' }, [media, { ...media, url: '/local.mp4', mimeType: 'video/mp4' }]],
    [{ type: 'SELECT', ...options }, 'red'],
    [{ type: 'SELECT' }, 'anything'],
    [{ type: 'MULTI_SELECT', ...options }, ['red', 'blue']],
    [{ type: 'MULTI_SELECT', ...options }, []],
  ] as [Rule, unknown][])('%j accepts %j', (rule, value) => {
    expect(validateBlockValue(rule, value)).toEqual({ value, issues: [] });
  });

  it.each([
    [{ type: 'TEXT' }, 7, [' INVALID_TYPE']],
    [{ type: 'TEXT' }, ['a'], [' INVALID_TYPE']],
    [{ type: 'TEXT', required: true }, ' ', [' REQUIRED']],
    [{ type: 'TEXT', required: true }, undefined, [' REQUIRED']],
    [{ type: 'TEXT', required: true }, {}, [' REQUIRED']],
    [{ type: 'TEXT', required: true }, { en: '' }, ['en REQUIRED']],
    [
      { type: 'TEXT', settings: { maxLength: 2 } },
      { en: 'ok', de: 'zu lang', fr: 7 },
      ['de TOO_LONG', 'fr INVALID_TYPE'],
    ],
    [{ type: 'TEXT' }, { 'not a locale': 'x' }, ['not a locale INVALID_LOCALE']],
    [
      { type: 'TEXT' },
      Object.fromEntries(Array.from({ length: 201 }, (_none, index) => [`en-${index}`, 'x'])),
      [' TOO_LONG'],
    ],

    [{ type: 'TEXT', settings: { variant: 'HTML', maxLength: 3 } }, '<p>long</p>', [' TOO_LONG']],
    [{ type: 'TEXT', required: true, settings: { variant: 'HTML' } }, '<script>x</script>', [' REQUIRED']],
    [{ type: 'NUMBER' }, '7', [' INVALID_TYPE']],
    [{ type: 'NUMBER' }, Number.NaN, [' INVALID_TYPE']],
    [{ type: 'BOOLEAN' }, 'true', [' INVALID_TYPE']],
    [{ type: 'BOOLEAN' }, 1, [' INVALID_TYPE']],
    [{ type: 'DATE' }, '2024-01-01', [' INVALID_TYPE']],
    [{ type: 'DATE' }, 1.5, [' INVALID_TYPE']],
    [{ type: 'DATE' }, 2 ** 53, [' INVALID_TYPE']],
    [{ type: 'RELATIONSHIP' }, 7, [' INVALID_TYPE']],
    [{ type: 'RELATIONSHIP' }, { id: 'x' }, [' INVALID_TYPE']],
    [{ type: 'RELATIONSHIP', required: true }, '', [' REQUIRED']],
    [
      { type: 'GEO_LOCATION' },
      { latitude: 90.1, longitude: -180.1 },
      ['latitude OUT_OF_RANGE', 'longitude OUT_OF_RANGE'],
    ],
    [{ type: 'GEO_LOCATION' }, { latitude: '1' }, ['latitude INVALID_TYPE', 'longitude REQUIRED']],
    [{ type: 'GEO_LOCATION' }, [1, 2], [' INVALID_TYPE']],
    [{ type: 'MEDIA' }, 'https://x.example', [' INVALID_TYPE']],
    [{ type: 'MEDIA' }, { ...media, url: 'javascript:alert(1)' }, ['url INVALID_URL']],
    [{ type: 'MEDIA' }, [media, { url: '/x' }], ['1.mimeType REQUIRED']],
    [{ type: 'MEDIA', required: true }, [], [' REQUIRED']],
    [{ type: 'SELECT', ...options }, 'green', [' INVALID_OPTION']],
    [{ type: 'SELECT', ...options }, ['red'], [' INVALID_TYPE']],
    [{ type: 'MULTI_SELECT', ...options }, 'red', [' INVALID_TYPE']],
    [
      { type: 'MULTI_SELECT', ...options },
      ['red', 'green', 'red', 7],
      ['1 INVALID_OPTION', '2 DUPLICATE_OPTION', '3 INVALID_TYPE'],
    ],
    [{ type: 'MULTI_SELECT', required: true, ...options }, [], [' REQUIRED']],
  ] as [Rule, unknown, string[]][])('%j rejects %.80j', (rule, value, issueCodes) => {
    const { issues } = validateBlockValue(rule, value);
    expect(issues.map(({ path, error }) => `${path.join('.')} ${error}`)).toEqual(issueCodes);
  });

  it('derives the same id for the same media item without id', () => {
    const { id: _none, ...unnamed } = media;
    const { value } = validateBlockValue({ type: 'MEDIA' }, unnamed);
    expect(value).toEqual({ ...unnamed, id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(validateBlockValue({ type: 'MEDIA' }, unnamed).value).toEqual(value);
  });

  it('limits texts without maxLength to the default length', () => {
    expect(validateBlockValue({ type: 'TEXT' }, 'x'.repeat(defaultMaxBlockTextLength)).issues).toEqual([]);
    expect(
      validateBlockValue({ type: 'TEXT' }, 'x'.repeat(defaultMaxBlockTextLength + 1)).issues,
    ).toMatchObject([{ error: 'TOO_LONG' }]);
  });

  it('accepts or rejects any JSON value without throwing', () => {
    const types = [
      'TEXT',
      'NUMBER',
      'BOOLEAN',
      'DATE',
      'RELATIONSHIP',
      'GEO_LOCATION',
      'MEDIA',
      'SELECT',
      'MULTI_SELECT',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.jsonValue(), fc.boolean(), (type, value, required) => {
        const rule = { type, required } as Rule;
        const checked = validateBlockValue(rule, value);
        // Validation is idempotent: a valid result validates again, unchanged.
        if (checked.issues.length === 0) expect(validateBlockValue(rule, checked.value)).toEqual(checked);
      }),
    );
  });
});

describe('sanitizeRichText', () => {
  it.each([
    ['<p>Hi <b>you</b></p>', '<p>Hi <b>you</b></p>'],
    ['<p>a<script>alert(1)</script>b</p>', '<p>ab</p>'],
    [
      '<img src="https://x.example/a.png" onerror="alert(1)" alt="a">',
      '<img src="https://x.example/a.png" alt="a" />',
    ],
    ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href=" jAvA\tscript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="data:text/html,<script>1</script>">x</a>', '<a>x</a>'],
    ['<img src="data:image/svg+xml,<svg/onload=1>">', '<img />'],
    ['<svg><script>1</script></svg>', ''],
    ['<iframe src="https://x.example"></iframe>', ''],
    ['<p style="background:url(javascript:1)" class="x" onclick="1">y</p>', '<p>y</p>'],
    [
      '<a href="https://x.example" target="_blank">x</a>',
      '<a href="https://x.example" target="_blank" rel="noopener noreferrer">x</a>',
    ],
    ['<a href="{{unsubscribeUrl}}">x</a>', '<a href="{{unsubscribeUrl}}">x</a>'],
    ['<form action="https://x.example"><input name="a"></form>', ''],
    ['<math><mi xlink:href="javascript:1">x</mi></math>', 'x'],
  ])('sanitises %s to %s', (dirty, clean) => {
    expect(sanitizeRichText(dirty)).toBe(clean);
    expect(sanitizeRichText(clean)).toBe(clean);
  });
});

it.each([
  ['Hello', 'de', 'Hello'],
  [{ en: 'Hello', de: 'Hallo' }, 'de-CH', 'Hallo'],
  [{ en: 'Hello', 'pt-BR': 'Olá' }, 'pt_br', 'Olá'],
  [{ en: 'Hello', de: 'Hallo' }, 'fr', 'Hello'],
  [{ de: 'Hallo', fr: null }, 'fr', 'Hallo'],
  [{}, 'en', undefined],
  [7, 'en', undefined],
])('textInLocale: %j in %s is %s', (value, locale, text) => {
  expect(findTextInLocale(value, locale, 'en')).toBe(text);
});

describe('entries validated against the collection schema', () => {
  let t: TestApp;
  let shop: Shop;
  let editor: Person;
  let base: string;

  beforeAll(async () => {
    t = await testApp();
    shop = await t.shop();
    editor = await t.addMember(shop, await t.person(), 'EDITOR');
    base = `/v1/businesses/${shop.businessId}`;
  });

  const schema = [
    { id: 'title', type: 'TEXT', required: true, settings: { maxLength: 20 } },
    { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } },
    { id: 'count', type: 'NUMBER' },
    { id: 'open', type: 'BOOLEAN' },
    { id: 'day', type: 'DATE' },
    { id: 'place', type: 'GEO_LOCATION' },
    { id: 'photos', type: 'MEDIA' },
    { id: 'colour', type: 'SELECT', ...options },
    { id: 'colours', type: 'MULTI_SELECT', ...options },
    { id: 'author', type: 'RELATIONSHIP', settings: { targetType: 'USER' } },
  ];

  const createCollection = async (blocks: object[] = schema) =>
    (await t.rest<{ id: string }>('POST', `${base}/collections`, { as: editor, body: { name: 'C', blocks } }))
      .body.id;
  const createEntry = async (collectionId: string, blocks: unknown) =>
    t.rest<{ id: string; blocks: object[]; details: { field: string; error: string }[] }>(
      'POST',
      `${base}/entries`,
      { as: editor, body: { collectionId, blocks } },
    );

  it('stores a value of every block type and returns it under its typed field', async () => {
    const blocks = [
      { id: 'title', type: 'TEXT', value: { en: 'Hello', de: 'Hallo' } },
      { id: 'body', type: 'TEXT', value: '<p>Hi</p>' },
      { id: 'count', type: 'NUMBER', value: 1.5 },
      { id: 'open', type: 'BOOLEAN', value: true },
      { id: 'day', type: 'DATE', value: 4_102_444_800 },
      { id: 'place', type: 'GEO_LOCATION', value: { latitude: 48.2, longitude: 16.4 } },
      { id: 'photos', type: 'MEDIA', value: media },
      { id: 'colour', type: 'SELECT', value: 'red' },
      { id: 'colours', type: 'MULTI_SELECT', value: ['blue'] },
      { id: 'author', type: 'RELATIONSHIP', value: editor.userId },
    ];
    const created = await createEntry(await createCollection(), blocks);
    expect([created.status, created.body.blocks]).toEqual([200, blocks]);
    const { data, errors } = await t.graphql(
      `query($b: ID!, $id: ID!) { entry(businessId: $b, id: $id) {
        title: block(id: "title") { type text(locale: "de") asNumber }
        count: block(id: "count") { asNumber text }
        open: block(id: "open") { asBoolean }
        day: block(id: "day") { asDate }
        place: block(id: "place") { asGeo { latitude longitude } }
        photos: block(id: "photos") { asMedia { id: key url mimeType } }
        colour: block(id: "colour") { text asOptions }
        colours: block(id: "colours") { asOptions }
        author: block(id: "author") { value asRelationship { __typename ... on Person { id: userId name } } }
      } }`,
      { b: shop.businessId, id: created.body.id },
      { as: editor },
    );
    expect(errors).toEqual([]);
    expect(data).toEqual({
      entry: {
        title: { type: 'TEXT', text: 'Hallo', asNumber: null },
        count: { asNumber: 1.5, text: null },
        open: { asBoolean: true },
        day: { asDate: 4_102_444_800 },
        place: { asGeo: { latitude: 48.2, longitude: 16.4 } },
        photos: { asMedia: [media] },
        colour: { text: 'red', asOptions: ['red'] },
        colours: { asOptions: ['blue'] },
        author: {
          value: editor.userId,
          asRelationship: { __typename: 'Person', id: editor.userId, name: 'Somebody' },
        },
      },
    });
  });

  it('reports all invalid blocks by path, together with other invalid fields', async () => {
    const answer = await t.rest<{ details: { field: string; error: string }[] }>('POST', `${base}/entries`, {
      as: editor,
      body: {
        collectionId: await createCollection(),
        locale: 'nowhere at all',
        status: 'PUBLISHED',
        blocks: [
          { id: 'count', type: 'NUMBER', value: '7' },
          { id: 'unknown', type: 'TEXT', value: 'x' },
          { id: 'body', type: 'TEXT', value: { en: 'ok', de: 7 } },
          { id: 'place', type: 'GEO_LOCATION', value: { latitude: 91, longitude: 0 } },
          { id: 'open', type: 'TEXT', value: 'yes' },
          { id: 'day', type: 'DATE', value: '2024-01-01' },
          { id: 'count', type: 'NUMBER', value: 1 },
          { id: 'author', type: 'RELATIONSHIP', value: 'nobody' },
        ],
      },
    });
    expect(answer.status).toBe(422);
    expect(answer.body.details.map(({ field, error }) => `${field} ${error}`).sort()).toEqual([
      'blocks.0.value INVALID_TYPE',
      'blocks.1.id UNKNOWN_BLOCK',
      'blocks.2.value.de INVALID_TYPE',
      'blocks.3.value.latitude OUT_OF_RANGE',
      'blocks.4.type BLOCK_TYPE_MISMATCH',
      'blocks.5.value INVALID_TYPE',
      'blocks.6.id DUPLICATE_BLOCK',
      'blocks.7.value RELATIONSHIP_NOT_FOUND',
      'blocks.title REQUIRED',
      'locale INVALID_LOCALE',
    ]);
  });

  it('sanitises rich text in every locale', async () => {
    const { body } = await createEntry(await createCollection(), [
      { id: 'title', type: 'TEXT', value: '<b>not rich</b>' },
      {
        id: 'body',
        type: 'TEXT',
        value: { en: '<p onclick="x()">a</p><script>1</script>', de: '<a href="javascript:1">b</a>' },
      },
    ]);
    expect(body.blocks).toEqual([
      { id: 'title', type: 'TEXT', value: '<b>not rich</b>' },
      { id: 'body', type: 'TEXT', value: { en: '<p>a</p>', de: '<a>b</a>' } },
    ]);
  });

  const textBlock = (id: string, value: unknown) => ({ id, type: 'TEXT', value });
  it.each([
    ['a reserved id', [textBlock('__proto__', 'x')], 'blocks.0.id'],
    ['another reserved id', [textBlock('constructor', 'x')], 'blocks.0.id'],
    ['the same id twice', [textBlock('body', 'x'), textBlock('body', 'y')], 'blocks.1.id'],
    ['NUL', [textBlock('body', 'a\u0000b')], 'blocks.0.value'],
    ['900 kB of text without maxLength', [textBlock('body', 'x'.repeat(900_000))], 'blocks.0.value'],
    ['a value that is not a list', 'none', 'blocks'],
    ['a block without id', [{ type: 'TEXT', value: 'x' }], 'blocks.0.id'],
    ['a block without type', [{ id: 'body', value: 'x' }], 'blocks.0.type'],
  ])('rejects %s', async (_label, blocks, field) => {
    for (const collectionId of [await createCollection([]), await createCollection()]) {
      const answer = await createEntry(collectionId, blocks);
      expect(answer.status).toBe(422);
      expect(answer.body.details.map((detail) => detail.field)).toContain(field);
    }
    expect(({} as { value?: string }).value).toBeUndefined();
  });

  it('rejects __proto__ as a locale, and bodies above the size limit', async () => {
    const raw = `{"collectionId":"${await createCollection()}","blocks":[{"id":"title","type":"TEXT","value":{"__proto__":"x"}}]}`;
    expect((await t.rest('POST', `${base}/entries`, { as: editor, body: raw })).status).toBe(422);
    const huge = await createEntry(await createCollection([]), [
      { id: 'a', type: 'TEXT', value: 'x'.repeat(1024 * 1024) },
    ]);
    expect(huge.status).toBe(413);
  });

  it('accepts self-defined blocks in a collection without schema', async () => {
    const answer = await createEntry(await createCollection([]), [
      {
        id: 'free',
        type: 'TEXT',
        label: 'Free',
        settings: { variant: 'HTML' },
        value: '<p>x</p><script></script>',
      },
      { id: 'choice', type: 'SELECT', settings: { options: ['a'] }, value: 'a' },
    ]);
    expect(answer.body.blocks).toEqual([
      { id: 'free', type: 'TEXT', label: 'Free', settings: { variant: 'HTML' }, value: '<p>x</p>' },
      { id: 'choice', type: 'SELECT', settings: { options: ['a'] }, value: 'a' },
    ]);
  });
});
