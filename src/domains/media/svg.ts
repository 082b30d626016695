/** Which drawings are harmless: a short list of what they may hold, and everything else is refused. Pure. */

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

const name = '[A-Za-z][A-Za-z0-9]*';
const attribute = `\\s+(?:xmlns:xlink|xlink:href|xml:space|xml:lang|[A-Za-z][A-Za-z0-9-]*)\\s*=\\s*(?:"[^"<]*"|'[^'<]*')`;
/** Everything that a harmless drawing is made of, one after the other. */
const token = new RegExp(
  `<!--(?:(?!--)[^])*-->|<(${name})((?:${attribute})*)\\s*/?>|</${name}\\s*>|([^<]+)`,
  'y',
);
const attributes = /\s+([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const entity = /&(?!(?:lt|gt|amp|quot|apos);)/;
const maxTokens = 200_000;

/** Whether it is an SVG without script, handlers, styles that load something, and references to anything outside. */
export function isHarmlessSvg(bytes: Uint8Array): boolean {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return false;
  }
  const body = text.replace(
    /^\s*<\?xml\s+version=["']1\.\d["'](?:\s+(?:encoding=["']utf-8["']|standalone=["']\w+["']))*\s*\?>/i,
    '',
  );
  token.lastIndex = 0;
  let inStyle = false;
  let isFirst = true;
  for (let count = 0; token.lastIndex < body.length; count += 1) {
    const found = count < maxTokens ? token.exec(body) : null;
    if (!found) return false;
    const [whole, element, given = '', content] = found;
    if (element !== undefined) {
      if (isFirst !== (element === 'svg' && isFirst)) return false;
      isFirst = false;
      if (!elements.has(element) || !areHarmless(given)) return false;
      inStyle = element === 'style' && !whole.endsWith('/>');
    } else if (content !== undefined) {
      if (entity.test(content) || (inStyle && !isHarmlessStyle(content))) return false;
      if (isFirst && content.trim() !== '') return false;
    } else if (whole.startsWith('</')) inStyle = false;
    // A comment within a style could hide half of a rule.
    else if (inStyle) return false;
  }
  return !isFirst;
}

function areHarmless(given: string): boolean {
  for (const [, key = '', double, single] of given.matchAll(attributes)) {
    const value = double ?? single ?? '';
    if (key.startsWith('xmlns') ? namespaces[key] !== value : !isHarmless(key, value)) return false;
  }
  return true;
}

function isHarmless(key: string, value: string): boolean {
  if (/^on/i.test(key) || value.includes('&')) return false;
  if (/^(?:xlink:)?href$/i.test(key)) return /^#[\w.-]+$/.test(value) || isPixels(value);
  return isHarmlessStyle(value);
}

const isPixels = (value: string) =>
  /^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/=\s]+$/.test(value);

/** Colours and sizes; `url()` only of a part of the same drawing, and no way to write any of it differently. */
function isHarmlessStyle(text: string): boolean {
  const rest = text.replace(/url\(\s*(["']?)#[\w.-]+\1\s*\)/gi, '');
  return !/url\s*\(|image\s*\(|image-set|src\s*\(|@|\\|expression|javascript|data:|\/\*|-moz-binding|behavior/i.test(
    rest,
  );
}
