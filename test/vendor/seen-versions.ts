/** Versions of a dependency on which the assumptions of src/vendor were seen to hold. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/**
 * Fails on an installed version outside of `seen`, each `major` or `major.minor`: run the other tests of the file, read the changelog of
 * the dependency, then add the version.
 */
export function seenOnVersions(dependency: string, ...seen: string[]): void {
  it(`was seen on ${dependency} ${seen.join(', ')}`, () => {
    const { version } = JSON.parse(readFileSync(`node_modules/${dependency}/package.json`, 'utf8'));
    expect(
      seen.some((prefix) => `${version}.`.startsWith(`${prefix}.`)),
      `${dependency} ${version} is installed: check src/vendor, then add it here`,
    ).toBe(true);
  });
}
