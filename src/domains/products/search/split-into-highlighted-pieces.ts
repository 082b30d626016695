/** Highlights search words in a text, mistyped ones included. The result is a list of text pieces rather than markup, so clients need not escape it. */
import { swapAdjacentLetters } from './swapped-letters.ts';
import { maxFuzzyWords, stopWords } from './text-search.ts';

export interface HighlightedTextPiece {
  text: string;
  matches: boolean;
}

const minWordLength = 3;
/** Maximum number of letters of an inflectional ending. */
const maxEndingLength = 3;
/** Length of an excerpt in characters. */
const excerptLength = 160;
/** Longer words are not compared by trigrams. */
const maxFuzzyLength = 50;

/** Whether a word of a text matches the search. */
type MatchSearchWord = (part: string) => boolean;

/** Create one per page: it caches the result per word, and texts repeat words. */
export function createWordMatcher(words: readonly string[]): MatchSearchWord {
  const distinctWords = [...new Set(words)];
  // Same limit as text-search.ts: above `maxFuzzyWords` words none is matched fuzzily.
  const typosByWord = new Map(
    distinctWords.length > maxFuzzyWords ? [] : distinctWords.map((word) => [word, typosOf(word)] as const),
  );
  const resultByWord = new Map<string, boolean>();
  return (part) => {
    const isMatch =
      resultByWord.get(part) ??
      distinctWords.some((word) => wordMatches(normalize(part), word, typosByWord.get(word)));
    resultByWord.set(part, isMatch);
    return isMatch;
  };
}

const normalize = (part: string) => part.normalize('NFKC').toLowerCase();

/** Splits a text into matching and other pieces; joined they are the original text. */
export function highlightMatches(text: string, isMatch: MatchSearchWord): HighlightedTextPiece[] {
  const pieces: HighlightedTextPiece[] = [];
  for (const part of text.split(/([\p{L}\p{N}]+)/u)) {
    const matches = isMatch(part);
    const last = pieces.at(-1);
    if (part === '') continue;
    if (last?.matches === matches) last.text += part;
    else pieces.push({ text: part, matches });
  }
  return pieces;
}

/** Cuts a long text to `excerptLength` characters around the first match within the first `maxScanned` characters, else to its beginning. */
export function highlightExcerpt(
  text: string,
  isMatch: MatchSearchWord,
  maxScanned = Number.POSITIVE_INFINITY,
): HighlightedTextPiece[] {
  if (text.length <= excerptLength) return highlightMatches(text, isMatch);
  const matchStart = Math.max(0, findFirstMatch(text.slice(0, maxScanned), isMatch) - excerptLength / 4);
  const start = matchStart === 0 ? 0 : text.indexOf(' ', matchStart) + 1;
  const end = text.lastIndexOf(' ', start + excerptLength);
  return highlightMatches(text.slice(start, end > start ? end : start + excerptLength), isMatch);
}

function findFirstMatch(text: string, isMatch: MatchSearchWord): number {
  for (const { 0: part, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) if (isMatch(part)) return index;
  return 0;
}

/** What mistyped words are compared with. */
interface Typos {
  trigrams: ReadonlySet<string>;
  swapped: readonly string[];
}

const typosOf = (word: string): Typos => ({
  trigrams: trigrams(word),
  swapped: swapAdjacentLetters(word).filter((other) => !stopWords.has(other)),
});

/** True when `part` has `word` as a prefix, is `word` with another ending or with two letters swapped, or is similar by trigrams. */
function wordMatches(part: string, word: string, typos: Typos | undefined): boolean {
  if (part.startsWith(word)) return true;
  if (part.length < minWordLength || word.length < minWordLength) return false;
  if (word.startsWith(part) && word.length - part.length <= maxEndingLength) return true;
  if (!typos || part.length > maxFuzzyLength) return false;
  if (typos.swapped.some((other) => part.startsWith(other) && part.length - other.length <= maxEndingLength))
    return true;
  return word.length > minWordLength && similarity(part, typos.trigrams) >= (word.length <= 5 ? 0.5 : 0.35);
}

/** Jaccard similarity (0 to 1) of the trigrams of a word and of `otherTrigrams`. */
function similarity(part: string, otherTrigrams: ReadonlySet<string>): number {
  const ownTrigrams = trigrams(part);
  const shared = [...ownTrigrams].filter((trigram) => otherTrigrams.has(trigram)).length;
  return shared / (ownTrigrams.size + otherTrigrams.size - shared);
}

function trigrams(word: string): Set<string> {
  const padded = `  ${word} `;
  return new Set(Array.from({ length: padded.length - 2 }, (_item, index) => padded.slice(index, index + 3)));
}
