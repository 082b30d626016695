/** Documents of the repository, and the targets of the links between them. */
import { readdirSync, readFileSync } from 'node:fs';

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

/** Anchors of the headings of a document, as code hosts derive them: lower case, punctuation dropped, `-` for spaces. */
export function headingAnchors(text: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = [...withoutCode(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    const earlier = seen.get(anchor) ?? 0;
    seen.set(anchor, earlier + 1);
    return earlier === 0 ? anchor : `${anchor}-${earlier}`;
  });
  return new Set(anchors);
}
