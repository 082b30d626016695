/** Mistyped words with two adjacent letters in reverse order, such as `hta` for `hat`: trigrams of short words differ too much to find them. */

/** Lengths of words that are tried; longer ones are similar enough by trigrams. Bounds the alternatives to 6 per word. */
const [minLength, maxLength] = [3, 7];

/** The word with each pair of different adjacent letters in reverse order; digits keep their position. */
export function swapAdjacentLetters(word: string): string[] {
  const letters = [...word];
  if (letters.length < minLength || letters.length > maxLength) return [];
  return letters.slice(1).flatMap((letter, index) => {
    const previous = letters[index] ?? '';
    return letter === previous || !/^\p{L}\p{L}$/u.test(previous + letter)
      ? []
      : [
          letters
            .with(index, letter)
            .with(index + 1, previous)
            .join(''),
        ];
  });
}

/** Whether words of this length have alternatives. */
export const canHaveSwappedLetters = (word: string): boolean => word.length >= minLength;
