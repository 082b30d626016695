/** Rich text as a tree: format, safety of texts that were never sanitised, and the field `richText`. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderRichTextHtml } from '../../packages/client-graphql/src/rich-text.ts';
import {
  parseRichText,
  type RichTextNode,
  type RichTextRoot,
} from '../../src/domains/blocks/parse-rich-text.ts';
import { richTextTags, sanitizeRichText } from '../../src/domains/blocks/sanitize-html.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';

const text = (value: string) => ({ type: 'text', value });
const element = (tagName: string, properties: object, ...children: object[]) => ({
  type: 'element',
  tagName,
  properties,
  children,
});

describe('parseRichText', () => {
  it.each([
    ['plain', [text('plain')]],
    ['', []],
    ['<p>a &amp; <b>b</b></p>', [element('p', {}, text('a & '), element('b', {}, text('b')))]],
    [
      '<a href="https://x.example/?a=1&amp;b=2" rel="noopener noreferrer">x</a>',
      [element('a', { href: 'https://x.example/?a=1&b=2', rel: ['noopener', 'noreferrer'] }, text('x'))],
    ],
    ['a<br />b', [text('a'), element('br', {}), text('b')]],
    ['<td colspan="2">c</td>', [element('td', { colSpan: 2 }, text('c'))]],
    [
      '<img src="/a.jpg" width="10" alt="A &quot;b&quot;" />',
      [element('img', { src: '/a.jpg', width: 10, alt: 'A "b"' })],
    ],
    ['2 < 3 &lt; 4', [text('2 < 3 < 4')]],
    ['</p>a</b>', [text('a')]],
    ['<p>open', [element('p', {}, text('open'))]],
  ])('%j', (html, children) => {
    expect(parseRichText(html)).toEqual({ type: 'root', children });
  });

  it.each([
    '<script>alert(1)</script>',
    '<p onclick="x()">a</p>',
    '<a href="javascript:alert(1)">a</a>',
    '<a href="java&#10;script:alert(1)">a</a>',
    '<a href=" &#1;javascript:alert(1)">a</a>',
    '<a href="data:text/html,x">a</a>',
    '<a href="//evil.example">a</a>',
    '<img src="javascript:x" />',
    '<iframe src="https://evil.example"></iframe>',
    '<a href=javascript:alert(1)>a</a>',
  ])('makes %j safe', (html) => {
    for (const node of nodesOf(parseRichText(html))) {
      if (node.type !== 'element') continue;
      expect(richTextTags.has(node.tagName)).toBe(true);
      expect(Object.keys(node.properties)).toEqual([]);
    }
  });

  it('agrees with the sanitiser on any text', () => {
    const parts = fc.constantFrom(
      '<p>',
      '</p>',
      '<b>',
      '</b>',
      '<br>',
      'a',
      '&amp;',
      '<',
      '>',
      '"',
      "<a href='x'>",
      '</a>',
      '<i a="',
      '<ul><li>',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 20 }), (list) => {
        const html = sanitizeRichText(list.join('')) ?? '';
        const rendered = renderRichTextHtml(parseRichText(html));
        expect(renderRichTextHtml(parseRichText(rendered))).toBe(rendered);
        expect(sanitizeRichText(rendered)?.replaceAll(' />', '>')).toBe(rendered);
      }),
    );
  });

  it('bounds depth and time', () => {
    const deep = parseRichText('<div>'.repeat(5000));
    const depthOf = (nodes: readonly RichTextNode[]): number =>
      nodes.reduce((max, node) => Math.max(max, node.type === 'element' ? 1 + depthOf(node.children) : 0), 0);
    expect(depthOf(deep.children)).toBe(64);
    const startedAt = performance.now();
    for (const hostile of ['<a b="', '<a b=', '<a ', '<a x x="" ', '</', '<a b="<a c="'])
      parseRichText(hostile.repeat(200_000 / hostile.length));
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });
});

function nodesOf(node: RichTextRoot | RichTextNode): (RichTextRoot | RichTextNode)[] {
  return node.type === 'text' ? [node] : [node, ...node.children.flatMap(nodesOf)];
}

describe('BlockValue.richText', () => {
  let t: TestApp;
  let shop: Shop;
  beforeAll(async () => {
    t = await testApp();
    shop = await t.shop();
  });

  it('returns the tree in the locale of the request, and null for other types; REST has the HTML alone', async () => {
    const base = `/v1/businesses/${shop.businessId}`;
    const { body: collection } = await t.rest<{ id: string }>('POST', `${base}/collections`, {
      as: shop.admin,
      body: {
        name: 'Notes',
        blocks: [
          { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } },
          { id: 'count', type: 'NUMBER' },
        ],
      },
    });
    const blocks = [
      { id: 'body', type: 'TEXT', value: { en: '<p onclick="x()">Hi</p>', de: '<p>Hallo</p>' } },
      { id: 'count', type: 'NUMBER', value: 1 },
    ];
    const { body: entry } = await t.rest<{ id: string; blocks: object[] }>('POST', `${base}/entries`, {
      as: shop.admin,
      body: { collectionId: collection.id, blocks },
    });
    const { data } = await t.graphql(
      `query($b: ID!, $id: ID!) { entry(businessId: $b, id: $id) {
        en: block(id: "body") { richText(locale: "en") }
        de: block(id: "body") { richText(locale: "de-AT") }
        count: block(id: "count") { richText }
      } }`,
      { b: shop.businessId, id: entry.id },
      { as: shop.admin },
    );
    const paragraph = (value: string) => ({
      richText: { type: 'root', children: [element('p', {}, text(value))] },
    });
    expect(data).toEqual({
      entry: { en: paragraph('Hi'), de: paragraph('Hallo'), count: { richText: null } },
    });
    expect(entry.blocks[0]).toEqual({
      id: 'body',
      type: 'TEXT',
      value: { en: '<p>Hi</p>', de: '<p>Hallo</p>' },
    });
  });
});
