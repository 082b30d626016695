/** Parses rich text into a tree in the hast format, the syntax tree of HTML that unified and rehype use. Pure. */
import { richTextAttributes, richTextTags } from './sanitize-html.ts';

export interface RichTextRoot {
  type: 'root';
  children: RichTextNode[];
}

interface RichTextElement {
  type: 'element';
  tagName: string;
  properties: Record<string, string | number | string[]>;
  children: RichTextNode[];
}

interface RichTextLeaf {
  type: 'text';
  value: string;
}

export type RichTextNode = RichTextElement | RichTextLeaf;

/** Deeper elements are replaced by their children, so that recursive renderers and JSON.stringify do not overflow the stack. */
const maxDepth = 64;

const voidTags = new Set(['br', 'hr', 'img', 'wbr']);

/** Names of properties in hast, where they differ from the attribute. */
const propertyNames: Readonly<Record<string, string>> = { colspan: 'colSpan', rowspan: 'rowSpan' };
const numericProperties = new Set(['colspan', 'rowspan', 'width', 'height']);

/** Sanitised rich text quotes all values with `"`. PERF: other quotes would make the pattern quadratic for hostile plain text. */
const tagPattern = /<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"]*")?)*)\s*\/?>/g;
const attributePattern = /([a-zA-Z-]+)(?:="([^"]*)")?/g;

/** URLs with one of these schemes, and relative ones except `//host`. */
const safeUrlPattern = /^(?:(?:https?|mailto|tel):|(?![\\/]{2})[^:]*(?:$|[/?#]))/i;

/**
 * Accepts the output of `sanitizeRichText`, and any other text safely: only tags, attributes and URL schemes of sanitised
 * rich text become part of the tree.
 */
export function parseRichText(html: string): RichTextRoot {
  const root: RichTextRoot = { type: 'root', children: [] };
  const open: { tagName: string; children: RichTextNode[] }[] = [{ tagName: '', children: root.children }];
  const childrenOfInnermost = () => open.at(-1)?.children ?? root.children;
  const addText = (text: string) => {
    if (text !== '') childrenOfInnermost().push({ type: 'text', value: decodeEntities(text) });
  };
  let end = 0;
  for (const match of html.matchAll(tagPattern)) {
    const [tag, slash, name = '', attributes = ''] = match;
    const tagName = name.toLowerCase();
    if (!richTextTags.has(tagName)) continue;
    addText(html.slice(end, match.index));
    end = match.index + tag.length;
    if (slash === '/') closeElement(open, tagName);
    else {
      const element: RichTextElement = {
        type: 'element',
        tagName,
        properties: parseProperties(tagName, attributes),
        children: [],
      };
      const isTooDeep = open.length > maxDepth;
      const siblings = childrenOfInnermost();
      if (!isTooDeep || voidTags.has(tagName)) siblings.push(element);
      if (!voidTags.has(tagName)) open.push({ tagName, children: isTooDeep ? siblings : element.children });
    }
  }
  addText(html.slice(end));
  return root;
}

/** Closes the innermost open element of this name with all elements inside it; an end tag without a start tag has no effect. */
function closeElement(open: { tagName: string }[], tagName: string): void {
  const index = open.findLastIndex((element) => element.tagName === tagName);
  if (index > 0) open.length = index;
}

function parseProperties(tagName: string, text: string): RichTextElement['properties'] {
  const properties: RichTextElement['properties'] = {};
  for (const [, rawName = '', rawValue = ''] of text.matchAll(attributePattern)) {
    const name = rawName.toLowerCase();
    if (!richTextAttributes[tagName]?.includes(name) && !richTextAttributes['*']?.includes(name)) continue;
    const value = decodeEntities(rawValue).trim();
    if ((name === 'href' || name === 'src') && !isSafeUrl(value)) continue;
    const property = propertyNames[name] ?? name;
    if (name === 'rel') properties[property] = value.split(/\s+/);
    else if (!numericProperties.has(name)) properties[property] = value;
    else if (/^\d{1,6}$/.test(value)) properties[property] = Number(value);
  }
  return properties;
}

/** Browsers ignore control characters and spaces in schemes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const isSafeUrl = (url: string) => safeUrlPattern.test(url.replace(/[\u0000-\u0020]/g, ''));

const namedEntities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
};

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (entity, decimal, hex, name) => {
    if (name !== undefined) return namedEntities[name.toLowerCase()] ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
