/** How many guesses a password takes, by zxcvbn: lists of used passwords and names, dates, keyboards, sequences, repetitions. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** Every character of its own is worth ten guesses, so ten of them that follow no pattern pass. */
const fewGuesses = 1e9;

/** What comes after them only adds to the guesses, and the work grows with the square of the length: seconds for 200 characters. */
const maxLength = 32;

let estimator: ZxcvbnFactory | undefined;

/** Made for the first password: sorting the lists takes 50 ms, which no start has to wait for. */
const estimate = () =>
  (estimator ??= new ZxcvbnFactory({
    dictionary: { passwords: dictionary['passwords-common'] },
    graphs: adjacencyGraphs,
    maxLength,
    // Callers undo the disguise of whole words themselves. All combinations of substitutions would take a second.
    l33tMaxSubstitutions: 2,
  }));

/** `hints` are things a guesser knows; each counts as the first word tried. */
export const isEasilyGuessed = (password: string, hints: readonly string[]): boolean =>
  estimate().check(password, [...hints]).guesses < fewGuesses;
