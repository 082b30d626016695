/** Validates SVG files against an allowlist of elements and attributes; everything else is rejected. Yields to the event loop. */
import { setImmediate } from 'node:timers/promises';

/** Maximum size of an SVG file. Bounded, because a single text node is scanned without yielding. */
export const maxSvgBytes = 2 * 1024 * 1024;

const allowedElements = new Set(
  `svg g defs symbol title desc path rect circle ellipse line polyline polygon text tspan textPath use image switch marker pattern mask
   clipPath linearGradient radialGradient stop filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix
   feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge
   feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence style`.split(
    /\s+/,
  ),
);

const allowedNamespaces: Readonly<Record<string, string>> = {
  xmlns: 'http://www.w3.org/2000/svg',
  'xmlns:xlink': 'http://www.w3.org/1999/xlink',
};

// All patterns are anchored or sticky and repeat no group: matching takes linear time, without backtracking or recursion.
const declaration =
  /^\s*<\?xml\s+version=["']1\.\d["'](?:\s+encoding=["']utf-8["'])?(?:\s+standalone=["']\w+["'])?\s*\?>/i;
const opening = /<([A-Za-z][A-Za-z0-9]*)/y;
const attribute =
  /\s+(xmlns:xlink|xlink:href|xml:space|xml:lang|[A-Za-z][A-Za-z0-9-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const ending = /\s*(\/?)>/y;
const closing = /<\/([A-Za-z][A-Za-z0-9]*)\s*>/y;
const text = /[^<]+/y;
const entity = /&(?!(?:lt|gt|amp|quot|apos);)/;

/** Parser state: the text, the current position, and the steps since the last yield. */
interface Reader {
  body: string;
  position: number;
  steps: number;
}

/** Number of matches after which the parser yields to the event loop. */
const stepsPerYield = 2_000;

function match(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.position;
  const result = pattern.exec(reader.body);
  if (result) reader.position = pattern.lastIndex;
  reader.steps += 1;
  return result;
}

/** Whether the file is an SVG without scripts, event handlers, styles that load resources, and external references. */
export async function isSafeSvg(bytes: Uint8Array): Promise<boolean> {
  const body = bytes.length > maxSvgBytes ? undefined : decodeUtf8(bytes);
  if (body === undefined) return false;
  const reader = { body, position: declaration.exec(body)?.[0].length ?? 0, steps: 0 };
  let isBeforeRoot = true;
  let inStyle = false;
  while (reader.position < body.length) {
    if (reader.steps > stepsPerYield) await yieldToEventLoop(reader);
    const content = match(reader, text)?.[0];
    if (content !== undefined) {
      if (entity.test(content) || (inStyle && !isSafeStyle(content))) return false;
      if (isBeforeRoot && content.trim() !== '') return false;
      continue;
    }
    // A style element may contain only text: a nested element or comment could hide part of a rule.
    if (inStyle) {
      if (match(reader, closing)?.[1] !== 'style') return false;
      inStyle = false;
      continue;
    }
    if (skipComment(reader) || match(reader, closing)) continue;
    const element = match(reader, opening)?.[1];
    if (element === undefined || !allowedElements.has(element) || (isBeforeRoot && element !== 'svg'))
      return false;
    isBeforeRoot = false;
    const end = await readSafeTagEnd(reader);
    if (end === undefined) return false;
    inStyle = element === 'style' && end === '>';
  }
  return !isBeforeRoot;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

async function yieldToEventLoop(reader: Reader): Promise<void> {
  reader.steps = 0;
  await setImmediate();
}

/** Comments without angle brackets only: HTML ends a comment at other positions than XML (`<!-->`), and would read tags in the rest. */
function skipComment(reader: Reader): boolean {
  const { body, position } = reader;
  if (!body.startsWith('<!--', position)) return false;
  const end = body.indexOf('--', position + 4);
  if (end < 0 || body[end + 2] !== '>' || /[<>]/.test(body.slice(position + 4, end))) return false;
  reader.position = end + 3;
  return true;
}

/** Reads the attributes of a tag. Returns its end, or undefined when an attribute is unsafe. */
async function readSafeTagEnd(reader: Reader): Promise<'>' | '/>' | undefined> {
  for (let result = match(reader, attribute); result; result = match(reader, attribute)) {
    const [, key = '', double, single] = result;
    const value = double ?? single ?? '';
    if (key.startsWith('xmlns') ? allowedNamespaces[key] !== value : !isSafeAttribute(key, value))
      return undefined;
    if (reader.steps > stepsPerYield) await yieldToEventLoop(reader);
  }
  const end = match(reader, ending);
  return end ? (end[1] === '/' ? '/>' : '>') : undefined;
}

function isSafeAttribute(key: string, value: string): boolean {
  // An SVG inlined in a page treats the content of `desc` as HTML, where `src` would load an image.
  if (/^(?:on|src)/i.test(key) || value.includes('&')) return false;
  if (/^(?:xlink:)?href$/i.test(key)) return /^#[\w.-]+$/.test(value) || isRasterDataUrl(value);
  return isSafeStyle(value);
}

const isRasterDataUrl = (value: string) =>
  /^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/=\s]+$/.test(value);

/** Allows `url()` only for fragments of the same file, and rejects escapes and comments that could obfuscate it. */
function isSafeStyle(style: string): boolean {
  const remainder = style.replace(/url\(\s*(["']?)#[\w.-]+\1\s*\)/gi, '');
  return !/url\s*\(|image\s*\(|image-set|src\s*\(|@|\\|expression|javascript|data:|\/\*|-moz-binding|behavior/i.test(
    remainder,
  );
}
