/** Which drawings are harmless: a short list of what they may hold, and everything else is refused. Pure, and in small steps. */
import { setImmediate } from 'node:timers/promises';

/** Longer ones are refused: a single text within a drawing is looked through at once. */
export const maxSvgBytes = 2 * 1024 * 1024;

const elements = new Set(
  `svg g defs symbol title desc path rect circle ellipse line polyline polygon text tspan textPath use image switch marker pattern mask
   clipPath linearGradient radialGradient stop filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix
   feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge
   feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence style`.split(
    /\s+/,
  ),
);

const namespaces: Readonly<Record<string, string>> = {
  xmlns: 'http://www.w3.org/2000/svg',
  'xmlns:xlink': 'http://www.w3.org/1999/xlink',
};

// Each is tried at one place, and none repeats a group: what is long takes long, but no stack and no way back.
const declaration =
  /^\s*<\?xml\s+version=["']1\.\d["'](?:\s+encoding=["']utf-8["'])?(?:\s+standalone=["']\w+["'])?\s*\?>/i;
const opening = /<([A-Za-z][A-Za-z0-9]*)/y;
const attribute =
  /\s+(xmlns:xlink|xlink:href|xml:space|xml:lang|[A-Za-z][A-Za-z0-9-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const ending = /\s*(\/?)>/y;
const closing = /<\/([A-Za-z][A-Za-z0-9]*)\s*>/y;
const text = /[^<]+/y;
const entity = /&(?!(?:lt|gt|amp|quot|apos);)/;

/** What is read of a drawing, and how far. */
interface Reader {
  body: string;
  at: number;
  steps: number;
}

/** After so many pieces others have their turn. */
const stepsAtOnce = 2_000;

function match(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.body);
  if (found) reader.at = pattern.lastIndex;
  reader.steps += 1;
  return found;
}

/** Whether it is an SVG without script, handlers, styles that load something, and references to anything outside. */
export async function isSafeSvg(bytes: Uint8Array): Promise<boolean> {
  const body = bytes.length > maxSvgBytes ? undefined : decoded(bytes);
  if (body === undefined) return false;
  const reader = { body, at: declaration.exec(body)?.[0].length ?? 0, steps: 0 };
  let isFirst = true;
  let inStyle = false;
  while (reader.at < body.length) {
    if (reader.steps > stepsAtOnce) await pause(reader);
    const content = match(reader, text)?.[0];
    if (content !== undefined) {
      if (entity.test(content) || (inStyle && !isHarmlessStyle(content))) return false;
      if (isFirst && content.trim() !== '') return false;
      continue;
    }
    // A style has text alone: an element or a comment within could hide half of a rule.
    if (inStyle) {
      if (match(reader, closing)?.[1] !== 'style') return false;
      inStyle = false;
      continue;
    }
    if (skipComment(reader) || match(reader, closing)) continue;
    const element = match(reader, opening)?.[1];
    if (element === undefined || !elements.has(element) || (isFirst && element !== 'svg')) return false;
    isFirst = false;
    const end = await harmlessEnd(reader);
    if (end === undefined) return false;
    inStyle = element === 'style' && end === '>';
  }
  return !isFirst;
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

async function pause(reader: Reader): Promise<void> {
  reader.steps = 0;
  await setImmediate();
}

function skipComment(reader: Reader): boolean {
  const { body, at } = reader;
  if (!body.startsWith('<!--', at)) return false;
  const end = body.indexOf('--', at + 4);
  if (end < 0 || body[end + 2] !== '>') return false;
  reader.at = end + 3;
  return true;
}

/** How a tag ends whose attributes are all harmless. */
async function harmlessEnd(reader: Reader): Promise<'>' | '/>' | undefined> {
  for (let found = match(reader, attribute); found; found = match(reader, attribute)) {
    const [, key = '', double, single] = found;
    const value = double ?? single ?? '';
    if (key.startsWith('xmlns') ? namespaces[key] !== value : !isHarmless(key, value)) return undefined;
    if (reader.steps > stepsAtOnce) await pause(reader);
  }
  const end = match(reader, ending);
  return end ? (end[1] === '/' ? '/>' : '>') : undefined;
}

function isHarmless(key: string, value: string): boolean {
  // What is within a description is HTML where a page holds the drawing: an image has its address in `src` there.
  if (/^(?:on|src)/i.test(key) || value.includes('&')) return false;
  if (/^(?:xlink:)?href$/i.test(key)) return /^#[\w.-]+$/.test(value) || isPixels(value);
  return isHarmlessStyle(value);
}

const isPixels = (value: string) =>
  /^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/=\s]+$/.test(value);

/** Colours and sizes; `url()` only of a part of the same drawing, and no way to write any of it differently. */
function isHarmlessStyle(style: string): boolean {
  const rest = style.replace(/url\(\s*(["']?)#[\w.-]+\1\s*\)/gi, '');
  return !/url\s*\(|image\s*\(|image-set|src\s*\(|@|\\|expression|javascript|data:|\/\*|-moz-binding|behavior/i.test(
    rest,
  );
}
