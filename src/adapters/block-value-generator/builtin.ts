/** Built-in block value generator without a language model: deterministic values from the prompt. */
import { createHash } from 'node:crypto';
import { escapeHtml } from '../../lib/text/escape-text.ts';
import type { BlockToGenerate, BlockValueGenerator } from '../../ports/block-value-generator.ts';

export const builtinBlockValueGenerator: BlockValueGenerator = {
  embedded: true,
  generate: async (prompt, blocks) =>
    new Map(
      blocks.flatMap((block) => {
        const value = suggestionFor(prompt.trim(), block);
        return value === undefined ? [] : [[block.id, value] as const];
      }),
    ),
};

/** Undefined for block types that cannot be generated, such as media and relationships. */
function suggestionFor(prompt: string, block: BlockToGenerate): unknown {
  const random = randomFrom(`${prompt}\n${block.id}`);
  const options = block.settings?.options ?? [];
  switch (block.type) {
    case 'TEXT':
      return textOf(prompt, block, random);
    case 'NUMBER':
      return Number(/-?\d+(?:\.\d+)?/.exec(prompt)?.[0] ?? 1 + random(100));
    case 'BOOLEAN':
      return !/\b(no|not|never|without)\b/i.test(prompt);
    case 'DATE':
      return dateIn(prompt) ?? 1_735_689_600 + random(365) * 86_400;
    case 'GEO_LOCATION':
      return { latitude: random(1200) / 10 - 60, longitude: random(3600) / 10 - 180 };
    case 'SELECT':
      return mentioned(prompt, options)[0] ?? options[random(options.length)] ?? keywords(prompt)[0];
    case 'MULTI_SELECT': {
      const chosen = mentioned(prompt, options);
      if (chosen.length > 0) return chosen;
      const option = options[random(options.length)];
      return option === undefined ? keywords(prompt).slice(0, 3) : [option];
    }
    default:
      return undefined;
  }
}

const titleLike = /title|subject|headline|name|heading/i;
const slugLike = /slug|handle/i;
const shortLike = /summary|excerpt|teaser|intro|description|subtitle/i;

function textOf(
  prompt: string,
  { id, label = '', settings }: BlockToGenerate,
  random: (below: number) => number,
) {
  const name = `${id} ${label}`;
  const words = keywords(prompt);
  const title = capitalized(words.slice(0, 8).join(' ') || 'Untitled');
  const max = settings?.maxLength ?? 2000;
  if (slugLike.test(name))
    return truncate(
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, '-')
        .replace(/^-+|-+$/g, '') || 'untitled',
      max,
    ).replace(/-+$/, '');
  if (titleLike.test(name)) return truncate(title, max);
  const sentences = openings.map((opening) => opening(title, words[random(words.length || 1)] ?? 'it'));
  const first = random(sentences.length);
  const rotated = [...sentences.slice(first), ...sentences.slice(0, first)];
  const isHtml = settings?.variant?.toUpperCase() === 'HTML';
  if (shortLike.test(name) && !isHtml) return truncate(rotated[0] ?? title, max);
  if (!isHtml) return truncate(rotated.join(' '), max);
  // Truncated before the markup is added, so that no tag is split.
  return `<p>${escapeHtml(truncate(rotated.join(' '), Math.max(1, Math.floor(max / 2) - 7)))}</p>`;
}

const openings: ((title: string, word: string) => string)[] = [
  (title) => `${title}: what it is, and why it matters.`,
  (_title, word) => `Everything begins with ${word}, and with the people who care about it.`,
  (_title, word) => `We have collected what we know about ${word} so that you can start today.`,
  (title) => `Read on to find out more about ${title.toLowerCase()}.`,
];

const stopWords = new Set(
  'a an the and or of for to in on with about from by is are be that this it as at write create make generate me us please blog post article newsletter'.split(
    ' ',
  ),
);

function keywords(prompt: string): string[] {
  const words = prompt.slice(0, 2000).match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? [];
  const meaningful = words.filter((word) => !stopWords.has(word.toLowerCase()));
  return (meaningful.length > 0 ? meaningful : words).map((word) => word.slice(0, 40));
}

const mentioned = (prompt: string, options: readonly string[]) =>
  options.filter((option) => prompt.toLowerCase().includes(option.toLowerCase()));

function dateIn(prompt: string): number | undefined {
  const iso = /\b\d{4}-\d{2}-\d{2}\b/.exec(prompt)?.[0];
  const time = iso === undefined ? Number.NaN : Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(time) ? undefined : time / 1000;
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Truncates to `max` characters, at a word boundary if possible. */
function truncate(text: string, max: number): string {
  const characters = [...text];
  if (characters.length <= max) return text;
  const prefix = characters.slice(0, max).join('');
  const end = prefix.lastIndexOf(' ');
  return (end > max / 2 ? prefix.slice(0, end) : prefix).trim();
}

/** Deterministic pseudo-random numbers from a seed. */
function randomFrom(seed: string): (below: number) => number {
  const bytes = createHash('sha256').update(seed).digest();
  let counter = 0;
  return (below) => {
    const number = bytes.readUInt32BE((counter++ * 4) % 28);
    return below > 0 ? number % below : 0;
  };
}
