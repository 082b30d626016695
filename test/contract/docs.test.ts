/** The documentation: line lengths, links, completeness of lists, and one version number everywhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(path, 'utf8');
const json = (path: string) => JSON.parse(read(path));
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...readdirSync('docs').map((name) => `docs/${name}`),
];

it('has lines of at most 140 columns, and a README of under 150 lines', () => {
  // A signed request is printed byte for byte.
  const long = pages.flatMap((page) =>
    read(page)
      .split('\n')
      .filter((line) => line.length > 140 && !line.startsWith('{"type"'))
      .map((line) => `${page}: ${line}`),
  );
  expect(long).toEqual([]);
  expect(read('README.md').split('\n').length).toBeLessThan(150);
});

it('has no dead links', () => {
  const dead = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)]
      .filter(([, target = '']) => !existsSync(join(dirname(page), target)))
      .map(([, target]) => `${page}: ${target}`),
  );
  expect(dead).toEqual([]);
  for (const page of pages.filter((name) => name.startsWith('docs/')))
    expect(read('README.md')).toContain(`(${page})`);
});

it('lists every folder of src in the README', () => {
  const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(
    folders.filter(({ name }) => !read('README.md').includes(`src/${name}/`)).map(({ name }) => name),
  ).toEqual([]);
});

it('documents every environment variable', () => {
  const variables = [...read('src/environment-schema.ts').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(
    ([, name]) => name,
  );
  expect(variables.length).toBeGreaterThan(30);
  expect(variables.filter((name) => !read('docs/configuration.md').includes(`\`${name}\``))).toEqual([]);
});

it('lists every REST path', () => {
  const text = `${read('docs/interface.md')}${read('docs/webhooks.md')}`;
  const short = (path: string) => path.replace('/v1/businesses/{businessId}', '');
  // Paths of single records are listed together with their collection.
  const listed = (path: string) => text.includes(`${path}\``);
  const missing = Object.keys(json('schema/openapi.json').paths)
    .map(short)
    .filter((path) => !listed(path) && !listed(path.replace(/\/\{\w+\}$/, '')))
    .filter((path) => !path.startsWith('/webhooks/'));
  expect(missing).toEqual([]);
});

it('has the same version number everywhere', () => {
  const { version } = json('package.json');
  expect([
    json('package-lock.json').version,
    json('package-lock.json').packages[''].version,
    json('schema/openapi.json').info.version,
    /^## (\d\S*)/m.exec(read('CHANGELOG.md'))?.[1],
    /duet-(\S+)\.tgz/.exec(read('docs/commands.md'))?.[1],
  ]).toEqual([version, version, version, version, version]);
});
