/** The diagram of docs/explanation/architecture.md shows the folders that exist and exactly the imports between them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { listImports } from '../support/import-graph.ts';

const diagram =
  /```mermaid\n([\s\S]*?)```/.exec(readFileSync('docs/explanation/architecture.md', 'utf8'))?.[1] ?? '';
const boxes = new Map(
  [...diagram.matchAll(/^\s+(\w+)\["([^"]+)"\]/gm)].map(([, id = '', path = '']) => [id, path]),
);
const arrows = [...diagram.matchAll(/^\s+(\w+) --> (\w+)/gm)].map(
  ([, from = '', to = '']) => `${boxes.get(from)} -> ${boxes.get(to)}`,
);

/** The innermost box that contains a file. */
const boxOf = (file: string) =>
  [...boxes.values()]
    .filter((path) => file.startsWith(`${path}/`))
    .sort((a, b) => b.length - a.length)
    .at(0);

const sources = Object.fromEntries(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('generated/'))
    .map((name) => [`src/${name}`, readFileSync(`src/${name}`, 'utf8')]),
);

it('has a box for folders that exist', () => {
  expect(boxes.size).toBeGreaterThan(10);
  expect([...boxes.values()].filter((path) => !existsSync(path))).toEqual([]);
});

it('has an arrow for every import between two boxes, and no other', () => {
  const imports = new Set(
    listImports(sources)
      .filter(({ typeOnly }) => !typeOnly)
      .map(({ from, to }) => [boxOf(from), boxOf(to)])
      .filter(([from, to]) => from !== undefined && to !== undefined && from !== to)
      .map(([from, to]) => `${from} -> ${to}`),
  );
  expect([...arrows].sort()).toEqual([...imports].sort());
});

it('names files and folders that exist', () => {
  const folders = ['', 'src/graphql/execute/', 'src/graphql/fast/'];
  const named = [
    ...readFileSync('docs/explanation/architecture.md', 'utf8').matchAll(/`([\w/-]+(?:\.ts|\/[\w/-]+))`/g),
  ].map(([, path]) => path);
  expect(named.filter((path) => !folders.some((folder) => existsSync(`${folder}${path}`)))).toEqual([]);
});

it('has a README for each of the hard folders, of at most one screen', () => {
  for (const folder of ['src/db', 'src/graphql', 'src/rest', 'src/domains/orders'])
    expect(readFileSync(`${folder}/README.md`, 'utf8').split('\n').length, folder).toBeLessThanOrEqual(45);
});

it('has a glossary whose folders exist', () => {
  const rows = readFileSync('docs/reference/glossary.md', 'utf8').matchAll(
    /^\| [^|]+ \| [^|]+ \| ([^|]*`[^|]*) \|$/gm,
  );
  const paths = [...rows].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
  );
  expect(paths.length).toBeGreaterThan(60);
  expect(paths.filter((path) => !existsSync(path.replace(/\/\*\/.*$/, '')))).toEqual([]);
});
