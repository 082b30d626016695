/** What a run has shown, file by file. */
import type { Stryker } from '@stryker-mutator/core';

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

export interface FileScore {
  file: string;
  /** Percent of its mutants that some test has found. */
  score: number;
  mutants: number;
  /** Those that a test has found by never coming to its end. */
  timeouts: number;
  /** Those that no test has found, as somebody would look them up. */
  survivors: string[];
}

const found = new Set(['Killed', 'Timeout']);
const lost = new Set(['Survived', 'NoCoverage']);

export function computeScores(files: readonly string[], results: readonly MutantResult[]): FileScore[] {
  return files.map((file) => {
    // Those that do not even load say nothing about the tests.
    const all = results.filter(
      (result) =>
        result.fileName.endsWith(`/${file}`) && (found.has(result.status) || lost.has(result.status)),
    );
    const survivors = all.filter(({ status }) => lost.has(status)).map(textOf);
    const score = all.length === 0 ? 0 : (100 * (all.length - survivors.length)) / all.length;
    const endless = all.filter(({ status }) => status === 'Timeout').length;
    return { file, score, mutants: all.length, endless, survivors };
  });
}

const textOf = ({ location, mutatorName, replacement = '', status }: MutantResult) => {
  const { line, column } = location.start;
  const short = replacement.replace(/\s+/g, ' ').slice(0, 90);
  return `${line}:${column} ${mutatorName}: ${short}${status === 'NoCoverage' ? ' (no test comes here)' : ''}`;
};

const shown = (value: number) => `${value.toFixed(1)} %`.padStart(7);

export const formatScores = (scores: readonly FileScore[]): string =>
  scores
    .flatMap(({ file, score, mutants, timeouts: endless, survivors }) => [
      `${shown(score)}  ${file}  ${mutants - survivors.length} of ${mutants}${endless > 0 ? `, ${endless} by time` : ''}`,
      ...survivors.map((survivor) => `           ${survivor}`),
    ])
    .join('\n');
