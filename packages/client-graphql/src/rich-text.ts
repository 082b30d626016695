/** Renderers of rich text: to HTML, to elements of a view library, and to plain text. */

/** Tree in the hast format (https://github.com/syntax-tree/hast). */
export interface RichTextRoot {
  type: 'root';
  children: RichTextNode[];
}

export interface RichTextElement {
  type: 'element';
  tagName: string;
  properties: Record<string, string | number | string[]>;
  children: RichTextNode[];
}

export type RichTextNode = RichTextElement | { type: 'text'; value: string };

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeText = (text: string) => text.replace(/[&<>]/g, (character) => escapes[character] ?? character);
const escapeAttribute = (text: string) =>
  text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);

const voidTags = ['br', 'hr', 'img', 'wbr'];
const isVoid = (tagName: string) => voidTags.includes(tagName);

const propertyValue = (value: string | number | string[]) => (Array.isArray(value) ? value.join(' ') : value);

const htmlAttributes = (properties: RichTextElement['properties']) =>
  Object.entries(properties)
    .map(([name, value]) => ` ${name.toLowerCase()}="${escapeAttribute(String(propertyValue(value)))}"`)
    .join('');

export interface HtmlOptions {
  /** Replaces an element before it is rendered, such as to rewrite a link; null removes it. */
  element?: (element: RichTextElement) => RichTextElement | null;
}

/** HTML of the tree. Texts and attribute values are escaped. */
export function renderRichTextHtml(node: RichTextRoot | RichTextNode, options: HtmlOptions = {}): string {
  if (node.type === 'text') return escapeText(node.value);
  const inner = (children: RichTextNode[]) =>
    children.map((child) => renderRichTextHtml(child, options)).join('');
  if (node.type === 'root') return inner(node.children);
  const element = options.element ? options.element(node) : node;
  if (!element) return '';
  const { tagName, properties, children } = element;
  const start = `<${tagName}${htmlAttributes(properties)}>`;
  return isVoid(tagName) ? start : `${start}${inner(children)}</${tagName}>`;
}

/** Creates an element of a view library: `React.createElement`, `h` of Preact, or a function around `h` of Vue. */
export type CreateElement<Tag, Node> = (
  tag: Tag,
  properties: Record<string, string | number>,
  ...children: (Node | string)[]
) => Node;

/**
 * Elements of a view library. `components` replaces tags, such as `{ a: Link }`. Each element has the property `key`, its index
 * among its siblings.
 */
export function renderRichText<Tag, Node>(
  root: RichTextRoot,
  createElement: CreateElement<Tag | string, Node>,
  components: Readonly<Record<string, Tag>> = {},
): (Node | string)[] {
  const render = (node: RichTextNode, key: number): Node | string => {
    if (node.type === 'text') return node.value;
    const { tagName, children } = node;
    const properties = Object.entries(node.properties).map(([name, value]) => [name, propertyValue(value)]);
    return createElement(
      components[tagName] ?? tagName,
      { ...(Object.fromEntries(properties) as Record<string, string | number>), key },
      ...(isVoid(tagName) ? [] : children.map(render)),
    );
  };
  return root.children.map(render);
}

const blockTags =
  /^(?:address|article|aside|blockquote|br|dd|details|div|dl|dt|figcaption|figure|footer|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|summary|table|tr|ul)$/;

/** Plain text, such as for a description in search results; blocks are separated by line breaks. */
export function richTextToText(root: RichTextRoot): string {
  const textOf = (node: RichTextNode): string => {
    if (node.type === 'text') return node.value.replace(/\s+/g, ' ');
    const inner = node.children.map(textOf).join('');
    return blockTags.test(node.tagName) ? `\n${inner}\n` : inner;
  };
  return root.children
    .map(textOf)
    .join('')
    .replace(/[ \t]*\n[\s]*/g, '\n')
    .trim();
}
