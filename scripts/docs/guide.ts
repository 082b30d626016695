/** Writes the pages of the guide to dist/guide: the documents as HTML, their list, and the search index. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { packageRoot } from '../../src/lib/package-info.ts';
import { type RenderedDocument, renderMarkdown, type Section } from './render-markdown.ts';

const contents = 'docs/README.md';

/** Documents outside docs/. */
const projectDocuments = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'CONTRIBUTING.md', 'bench/README.md'];

const contracts: Record<string, string> = {
  'schema/openapi.json': '/v1/openapi.json',
  'schema/schema.graphql': '/schema.graphql',
};

interface GuideDocument {
  /** Path in the repository. */
  source: string;
  /** Path of the URL. */
  path: string;
  kind: string;
}

const read = (path: string) => readFileSync(join(packageRoot, path), 'utf8');

const pathOf = (source: string) =>
  source === contents
    ? '/guide'
    : `/guide/${source
        .replace(/^docs\//, '')
        .replace(/\/README\.md$|\.md$/, '')
        .toLowerCase()}`;

/** All documents, in the order of the table of contents, which may link to one more than once. */
function listDocuments(): GuideDocument[] {
  const links = [...read(contents).matchAll(/\]\(([\w-]+\/[\w-]+\.md)\)/g)].map(([, link = '']) => link);
  return [
    { source: contents, path: '/guide', kind: '' },
    ...[...new Set(links)].map((link) => {
      const source = `docs/${link}`;
      return { source, path: pathOf(source), kind: dirname(link) };
    }),
    ...projectDocuments.map((source) => ({ source, path: pathOf(source), kind: 'project' })),
  ];
}

/** Resolves the links of a document to pages of the guide, and those to contracts to the URLs that serve them. */
function linkResolver(source: string, documents: readonly GuideDocument[]) {
  return (target: string) => {
    const [path = '', anchor] = target.split('#');
    const file = posix.join(dirname(source), path);
    const page = documents.find((document) => document.source === file)?.path ?? contracts[file];
    return page === undefined ? undefined : `${page}${anchor === undefined ? '' : `#${anchor}`}`;
  };
}

/** Table of contents of a page, without the title. */
const outline = (sections: readonly Section[]) =>
  sections.filter(({ anchor }) => anchor !== '').map(({ anchor, heading }) => ({ anchor, heading }));

export function writeGuide(folder: string): void {
  const documents = listDocuments();
  const rendered = documents.map((document) => ({
    ...document,
    ...renderMarkdown(read(document.source), linkResolver(document.source, documents)),
  }));
  const index = rendered.map(({ path, kind, title, sections }, number) => ({
    path,
    kind,
    title,
    file: `${number}.html`,
    outline: outline(sections),
  }));
  const search = rendered.flatMap(({ path, title, sections }: GuideDocument & RenderedDocument) =>
    sections.map(({ anchor, heading, text }) => ({
      title,
      heading,
      text,
      url: anchor === '' ? path : `${path}#${anchor}`,
    })),
  );
  const files = new Map<string, string>([
    ...rendered.map(({ html }, number): [string, string] => [`${number}.html`, html]),
    ['pages.json', JSON.stringify(index)],
    ['search.json', JSON.stringify(search)],
  ]);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) replaceFile(join(folder, name), text);
  for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name));
}

/** Replaces a file at once: a gateway or a test may read it at the same time. */
function replaceFile(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, text);
  renameSync(fresh, path);
}

if (process.argv[1] === import.meta.filename) writeGuide(join(packageRoot, 'dist', 'guide'));
