/** Password strength estimate by zxcvbn: leaked passwords, names, dates, keyboard patterns, sequences, repetitions. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** zxcvbn counts at least ten guesses per character outside of a pattern, so ten such characters pass. */
const minGuesses = 1e9;

/** Characters that zxcvbn looks at. More would only raise the estimate, and its run time is quadratic: seconds for 200 characters. */
const maxLength = 32;

let estimator: ZxcvbnFactory | undefined;

/** Created with the first password: sorting the dictionaries takes 50 ms, which would delay every start. */
const getEstimator = () =>
  (estimator ??= new ZxcvbnFactory({
    dictionary: { passwords: dictionary['passwords-common'] },
    graphs: adjacencyGraphs,
    maxLength,
    // `isCommonPassword` decodes leet substitutions of whole words. Trying all combinations here would take a second.
    l33tMaxSubstitutions: 2,
  }));

/** `hints` are words that an attacker can derive; zxcvbn treats them as the top of its dictionary. */
export const isEasilyGuessedPassword = (password: string, hints: readonly string[]): boolean =>
  getEstimator().check(password, [...hints]).guesses < minGuesses;
