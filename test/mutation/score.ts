/** Scores of a mutation run per file. */
import type { Stryker } from '@stryker-mutator/core';

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

export interface FileScore {
  file: string;
  /** Percentage of detected mutants. */
  score: number;
  mutants: number;
  /** Mutants detected by a timeout. */
  timeouts: number;
  /** Undetected mutants with their positions. */
  survivors: string[];
}

const detected = new Set(['Killed', 'Timeout']);
const undetected = new Set(['Survived', 'NoCoverage']);

export function computeScores(files: readonly string[], results: readonly MutantResult[]): FileScore[] {
  return files.map((file) => {
    // Excludes mutants that fail to load: they do not measure the tests.
    const mutants = results.filter(
      (result) =>
        result.fileName.endsWith(`/${file}`) &&
        (detected.has(result.status) || undetected.has(result.status)),
    );
    const survivors = mutants.filter(({ status }) => undetected.has(status)).map(describeMutant);
    const score = mutants.length === 0 ? 0 : (100 * (mutants.length - survivors.length)) / mutants.length;
    const timeouts = mutants.filter(({ status }) => status === 'Timeout').length;
    return { file, score, mutants: mutants.length, timeouts, survivors };
  });
}

const describeMutant = ({ location, mutatorName, replacement = '', status }: MutantResult) => {
  const { line, column } = location.start;
  const short = replacement.replace(/\s+/g, ' ').slice(0, 90);
  return `${line}:${column} ${mutatorName}: ${short}${status === 'NoCoverage' ? ' (not covered)' : ''}`;
};

const formatPercent = (value: number) => `${value.toFixed(1)} %`.padStart(7);

export const formatScores = (scores: readonly FileScore[]): string =>
  scores
    .flatMap(({ file, score, mutants, timeouts, survivors }) => [
      `${formatPercent(score)}  ${file}  ${mutants - survivors.length} of ${mutants}${timeouts > 0 ? `, ${timeouts} by timeout` : ''}`,
      ...survivors.map((survivor) => `           ${survivor}`),
    ])
    .join('\n');
