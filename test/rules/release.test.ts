/** Release notes and versions: changesets, the changelog, and the files that contain the version. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  addRelease,
  nextVersion,
  parseChangeset,
  readChangesets,
  releaseNotes,
} from '../../scripts/release/changesets.ts';
import { findPackageProblems } from '../../scripts/release/packages.ts';

const changeset = (bump: string, text = 'A change.') =>
  parseChangeset('a.md', `---\n"@duet-gateway/server": ${bump}\n---\n\n${text}\n`);

it.each([
  ['1.2.3', ['patch'], '1.2.4'],
  ['1.2.3', ['patch', 'minor'], '1.3.0'],
  ['1.2.3', ['minor', 'major', 'patch'], '2.0.0'],
  ['0.2.0', ['major'], '0.3.0'],
])('raises %s by %s to %s', (current, bumps, expected) => {
  expect(
    nextVersion(
      current,
      bumps.map((bump) => changeset(bump)),
    ),
  ).toBe(expected);
});

it('reads the highest type of a changeset, and rejects incomplete ones', () => {
  const text =
    '---\n"@duet-gateway/client-rest": patch\n\'@duet-gateway/server\': major\n---\n\nTwo\nlines.\n';
  expect(parseChangeset('a.md', text)).toEqual({ file: 'a.md', bump: 'major', text: 'Two\nlines.' });
  for (const wrong of ['No front matter', '---\n"@duet-gateway/server": huge\n---\n\nx', '---\n\n---\n\nx'])
    expect(() => parseChangeset('a.md', wrong)).toThrow('a.md: the front matter');
  expect(() => changeset('minor', ' ')).toThrow('a.md: the text of the change is missing.');
  expect(() => nextVersion('1.0.0', [])).toThrow('nothing to release');
});

it('moves unreleased entries and changesets to the section of the version', () => {
  const before = '# Changelog\n\n## Unreleased\n\n- Old entry,\n  two lines.\n\n## 0.1.0\n\n- First.\n';
  const after = addRelease(before, '0.2.0', [changeset('minor', 'New entry.\nSecond line.')]);
  expect(after).toBe(
    '# Changelog\n\n## Unreleased\n\n## 0.2.0\n\n- Old entry,\n  two lines.\n- New entry.\n  Second line.\n\n## 0.1.0\n\n- First.\n',
  );
  expect(releaseNotes(after, '0.2.0')).toBe('- Old entry,\n  two lines.\n- New entry.\n  Second line.');
  expect(releaseNotes(after, '0.1.0')).toBe('- First.');
  expect(releaseNotes(after, '9.9.9')).toBeUndefined();
});

it('has valid changesets, and the notes of every released version', () => {
  expect(() => readChangesets('.changeset')).not.toThrow();
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  const versions = [...changelog.matchAll(/^## (\d\S*)$/gm)].map(([, version = '']) => version);
  expect(versions.length).toBeGreaterThan(0);
  expect(versions.filter((version) => !releaseNotes(changelog, version))).toEqual([]);
});

it('finds what is wrong with a package before the registry does', () => {
  const manifest = {
    name: 'duet',
    version: '0.1.0',
    private: true,
    scripts: { prepare: 'tsx build.ts' },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    dependencies: { pg: '^8.0.0' },
  };
  const packed = { folder: '.', manifest, tarball: '', size: 0, unpackedSize: 0 };
  const problems = findPackageProblems({ ...packed, files: ['dist/index.js', '.env'] }, '0.2.0');
  expect(problems).toEqual(
    expect.arrayContaining([
      'duet is private.',
      'duet runs a script when it is installed.',
      'duet has version 0.1.0 instead of 0.2.0.',
      'duet has no scope.',
      'duet has no license.',
      'duet lacks the file ./dist/index.d.ts.',
      'duet contains .env.',
      'duet depends on pg@^8.0.0, which is no exact version.',
    ]),
  );
  expect(problems).not.toContain('duet lacks the file ./dist/index.js.');
});
