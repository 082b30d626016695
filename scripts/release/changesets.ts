/** Release notes in the format of `@changesets/cli`: one file in `.changeset/` per change, with the type of the next version. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const bumps = ['patch', 'minor', 'major'] as const;
type Bump = (typeof bumps)[number];

export interface Changeset {
  /** Path of the file. */
  file: string;
  bump: Bump;
  /** Markdown, without the front matter. */
  text: string;
}

/** All packages are released together, so a file may name any of them. */
export function parseChangeset(file: string, content: string): Changeset {
  const [, head = '', text = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(content) ?? [];
  const named = [...head.matchAll(/^["']@duet-gateway\/[\w-]+["']: (\w+)$/gm)].map(([, bump]) => bump);
  const highest = bumps.findLast((bump) => named.includes(bump));
  if (highest === undefined || named.some((bump) => !bumps.includes(bump as Bump)))
    throw new Error(`${file}: the front matter must be lines such as "@duet-gateway/server": minor`);
  if (text.trim() === '') throw new Error(`${file}: the text of the change is missing.`);
  return { file, bump: highest, text: text.trim() };
}

export function readChangesets(folder: string): Changeset[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .map((name) => parseChangeset(join(folder, name), readFileSync(join(folder, name), 'utf8')));
}

/** Version after the changes. Before 1.0.0 a breaking change is a minor version, as npm's `^` expects. */
export function nextVersion(current: string, changesets: readonly Changeset[]): string {
  const [major = 0, minor = 0, patch = 0] = current.split('.').map(Number);
  const bump = bumps.findLast((bump) => changesets.some((changeset) => changeset.bump === bump));
  if (bump === undefined) throw new Error('There are no changesets: nothing to release.');
  if (bump === 'patch') return `${major}.${minor}.${patch + 1}`;
  if (bump === 'minor' || major === 0) return `${major}.${minor + 1}.0`;
  return `${major + 1}.0.0`;
}

const toBullet = ({ text }: Changeset) => `- ${text.replace(/\n(?=.)/g, '\n  ')}`;

/** Moves the entries below `## Unreleased`, and the changesets, to a section of the version. */
export function addRelease(changelog: string, version: string, changesets: readonly Changeset[]): string {
  const heading = '## Unreleased\n';
  const start = changelog.indexOf(heading);
  if (start < 0) throw new Error('CHANGELOG.md: the heading "## Unreleased" is missing.');
  const rest = changelog.slice(start + heading.length);
  const end = rest.search(/^## /m);
  const entries = rest.slice(0, end < 0 ? undefined : end).trim();
  const section = [entries, ...changesets.map(toBullet)].filter(Boolean).join('\n');
  const earlier = end < 0 ? '' : `\n${rest.slice(end)}`;
  return `${changelog.slice(0, start)}${heading}\n## ${version}\n\n${section}\n${earlier}`;
}

/** Notes of one version, as they appear in the changelog. */
export function releaseNotes(changelog: string, version: string): string | undefined {
  const heading = `## ${version}\n`;
  const start = changelog.indexOf(heading);
  if (start < 0) return undefined;
  const rest = changelog.slice(start + heading.length);
  const end = rest.search(/^## /m);
  return rest.slice(0, end < 0 ? undefined : end).trim();
}
