/** Shows where a text has the words that were searched for, mistyped ones too. Texts come in pieces: no markup, nothing to escape. */

export interface TextPiece {
  text: string;
  matches: boolean;
}

const minPart = 3;
const maxEnding = 3;
const excerptLength = 160;

/** The text in pieces, each as it was written. */
export function highlighted(text: string, words: readonly string[]): TextPiece[] {
  const pieces: TextPiece[] = [];
  for (const part of text.split(/([\p{L}\p{N}]+)/u)) {
    const matches = words.some((word) => isMeant(part.normalize('NFKC').toLowerCase(), word));
    const last = pieces.at(-1);
    if (part === '') continue;
    if (last?.matches === matches) last.text += part;
    else pieces.push({ text: part, matches });
  }
  return pieces;
}

/** A long text is cut to where the first match is. */
export function excerpt(text: string, words: readonly string[]): TextPiece[] {
  if (text.length <= excerptLength) return highlighted(text, words);
  const first = [...text.matchAll(/[\p{L}\p{N}]+/gu)].find(([part]) =>
    words.some((word) => isMeant(part.normalize('NFKC').toLowerCase(), word)),
  );
  const near = Math.max(0, (first?.index ?? 0) - excerptLength / 4);
  const start = near === 0 ? 0 : text.indexOf(' ', near) + 1;
  const end = text.lastIndexOf(' ', start + excerptLength);
  return highlighted(text.slice(start, end > start ? end : start + excerptLength), words);
}

/** The beginning of the word, the word with another ending, or one that is alike. */
function isMeant(part: string, word: string): boolean {
  if (part.startsWith(word)) return true;
  if (part.length < minPart || word.length < minPart) return false;
  if (word.startsWith(part) && word.length - part.length <= maxEnding) return true;
  return word.length > minPart && likeness(part, word) >= (word.length <= 5 ? 0.5 : 0.35);
}

/** How many trigrams two words share, of all that they have. */
export function likeness(a: string, b: string): number {
  const [ofA, ofB] = [trigrams(a), trigrams(b)];
  const common = [...ofA].filter((one) => ofB.has(one)).length;
  return common / (ofA.size + ofB.size - common);
}

function trigrams(word: string): Set<string> {
  const padded = `  ${word} `;
  return new Set(Array.from({ length: padded.length - 2 }, (_one, at) => padded.slice(at, at + 3)));
}
