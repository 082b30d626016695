/** The order of test files: by project, so that a worker keeps what it has loaded, and the long ones of each first, so that none runs alone at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const projects = ['postgres', 'pglite'];

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
  'graphql/differential',
];

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) => {
      const at = early.findIndex((part) => moduleId.includes(`/test/${part}`));
      return projects.indexOf(project.name) * 100 + (at < 0 ? early.length : at);
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
