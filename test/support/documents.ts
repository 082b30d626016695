/** Documents of the repository, and the targets of the links between them. */
import { readdirSync, readFileSync } from 'node:fs';
import { createAnchors } from '../../scripts/docs/headings.ts';

export const documentKinds = ['tutorials', 'how-to', 'reference', 'explanation'] as const;

/** Pages below docs/, as paths from the root of the repository. */
export const guidePages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
  .sort();

export const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...guidePages];

export const readDocument = (path: string) => readFileSync(path, 'utf8');

/** A document without fenced code, which may contain `[x](y)` and lines that begin with `#`. */
const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, '');

/** Targets of the links of a document to files and anchors of the repository. */
export const localLinks = (text: string) =>
  [...withoutCode(text).matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)].map(([, target = '']) => target);

/** Anchors of the headings of a document. */
export function headingAnchors(text: string): Set<string> {
  const anchorOf = createAnchors();
  return new Set(
    [...withoutCode(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)),
  );
}
