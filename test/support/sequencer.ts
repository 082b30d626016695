/** The order of test files: the long ones first, so that none runs alone at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that load the sources anew, while a worker has not loaded them yet; then folders and files that take tens of seconds, the longest first. */
const early = [
  ...['parity/parity.test', 'rest/versions.test', 'rest/outdated-fields'],
  'examples/',
  'browser/every-page',
  'browser/pages',
  'contract/recipe',
  'cli/package',
  'cli/dev',
  'cli/backup',
  'cli/restored-versions',
  'fuzz/',
  'simulation/',
  'contract/contract-diff',
  'reliability/',
  'parity/',
  'db/embedded',
  'db/timekeeping',
  'on-pglite/',
  'graphql/differential',
];

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = early.findIndex((part) => moduleId.includes(`/test/${part}`));
      return at < 0 ? early.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
