/**
 * The order of test files: the long ones first, so that none runs alone at the end, those that wait beside those that work; then by
 * project, so that a worker keeps what it has loaded.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const projects = ['browser', 'pglite', 'postgres'];

/** Folders and files that take tens of seconds, the longest first; of two neighbours one waits for processes and clocks most of the time. */
const long = [
  'contract/recipe',
  'reliability/newsletter',
  'examples/',
  'browser/every-page',
  'reliability/books',
  'cli/package',
  'reliability/cluster',
  'parity/',
  'reliability/faults',
  'browser/pages',
  'reliability/checkout',
  'contract/contract-diff',
  'reliability/fresh-reads',
  'simulation/',
  'reliability/',
  'cli/backup',
  'fuzz/',
  'graphql/differential',
];

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) => {
      const at = long.findIndex((part) => moduleId.includes(`/test/${part}`));
      return at < 0 ? long.length + projects.indexOf(project.name) : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
