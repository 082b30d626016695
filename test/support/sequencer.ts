/** Order of test files: longest first, so that no worker runs a long file alone at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Path prefixes: first files that reload the sources, before a worker has loaded them; then those that take tens of seconds, longest first.
 */
const longFiles = [
  ...['parity/parity.test', 'rest/api-versions.test', 'rest/deprecated-fields', 'http/rejection-delays'],
  'examples/',
  'browser/all-pages',
  'browser/pages',
  'contract/contributing-recipes',
  'cli/package',
  'contract/documented-commands',
  'reliability/newsletter',
  'contract/planted-leaks',
  'contract/documented-tutorials',
  'cli/arguments',
  'cli/dev',
  'cli/backup',
  'cli/restored-versions',
  'fuzz/',
  'simulation/',
  'contract/contract-diff',
  'reliability/',
  'shards/',
  'ops/',
  'cli/start-errors',
  'parity/',
  'db/embedded',
  'db/interrupted-migrations',
  'db/cron-jobs',
  'on-pglite/',
  'graphql/jit-differential',
];

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longFiles.findIndex((prefix) => moduleId.includes(`/test/${prefix}`));
      return index < 0 ? longFiles.length : index;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
