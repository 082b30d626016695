/** Shows where a text has the words that were searched for, mistyped ones too. Texts come in pieces: no markup, nothing to escape. */
import { maxFuzzyWords } from './text-search.ts';

export interface TextPiece {
  text: string;
  matches: boolean;
}

const minPart = 3;
const maxEnding = 3;
const excerptLength = 160;
/** Longer parts are no words. */
const maxLikened = 50;

/** Whether a part of a text is meant by what was searched for. */
export type WordMatcher = (part: string) => boolean;

/** Made once for a page: texts have the same parts again and again. */
export function createWordMatcher(words: readonly string[]): WordMatcher {
  const different = [...new Set(words)];
  // As in search.ts: of so many words none is forgiven.
  const forgiven = new Map(
    different.length > maxFuzzyWords ? [] : different.map((word) => [word, trigrams(word)] as const),
  );
  const known = new Map<string, boolean>();
  return (part) => {
    const answer =
      known.get(part) ?? different.some((word) => isMeant(normal(part), word, forgiven.get(word)));
    known.set(part, answer);
    return answer;
  };
}

const normal = (part: string) => part.normalize('NFKC').toLowerCase();

/** The text in pieces, each as it was written. */
export function highlightMatches(text: string, isMatch: WordMatcher): TextPiece[] {
  const pieces: TextPiece[] = [];
  for (const part of text.split(/([\p{L}\p{N}]+)/u)) {
    const matches = isMatch(part);
    const last = pieces.at(-1);
    if (part === '') continue;
    if (last?.matches === matches) last.text += part;
    else pieces.push({ text: part, matches });
  }
  return pieces;
}

/** A long text is cut to where the first match is, if that is among so many signs; to its beginning otherwise. */
export function highlightExcerpt(
  text: string,
  isMatch: WordMatcher,
  signs = Number.POSITIVE_INFINITY,
): TextPiece[] {
  if (text.length <= excerptLength) return highlightMatches(text, isMatch);
  const near = Math.max(0, firstMatch(text.slice(0, signs), isMatch) - excerptLength / 4);
  const start = near === 0 ? 0 : text.indexOf(' ', near) + 1;
  const end = text.lastIndexOf(' ', start + excerptLength);
  return highlightMatches(text.slice(start, end > start ? end : start + excerptLength), isMatch);
}

function firstMatch(text: string, isMatch: WordMatcher): number {
  for (const { 0: part, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) if (isMatch(part)) return index;
  return 0;
}

/** The beginning of the word, the word with another ending, or one that is alike. */
function isMeant(part: string, word: string, ofWord: ReadonlySet<string> | undefined): boolean {
  if (part.startsWith(word)) return true;
  if (part.length < minPart || word.length < minPart) return false;
  if (word.startsWith(part) && word.length - part.length <= maxEnding) return true;
  if (!ofWord || word.length <= minPart || part.length > maxLikened) return false;
  return likeness(part, ofWord) >= (word.length <= 5 ? 0.5 : 0.35);
}

/** How many trigrams a part shares with a word, of all that they have. */
function likeness(part: string, ofB: ReadonlySet<string>): number {
  const ofA = trigrams(part);
  const common = [...ofA].filter((one) => ofB.has(one)).length;
  return common / (ofA.size + ofB.size - common);
}

function trigrams(word: string): Set<string> {
  const padded = `  ${word} `;
  return new Set(Array.from({ length: padded.length - 2 }, (_one, at) => padded.slice(at, at + 3)));
}
