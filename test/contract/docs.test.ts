/** The documentation: line lengths, links, completeness of lists, and one version number everywhere. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { listVersions } from '../../scripts/release/versioned-files.ts';
import {
  documentKinds,
  documents,
  guidePages,
  headingAnchors,
  localLinks,
  readDocument as read,
} from '../support/documents.ts';

const json = (path: string) => JSON.parse(read(path));
it('has lines of at most 140 columns, and a README of under 150 lines', () => {
  // A signed request is printed byte for byte.
  const long = documents.flatMap((page) =>
    read(page)
      .split('\n')
      .filter((line) => line.length > 140 && !line.startsWith('{"type"'))
      .map((line) => `${page}: ${line}`),
  );
  expect(long).toEqual([]);
  expect(read('README.md').split('\n').length).toBeLessThan(150);
});

it('has no dead links and no dead anchors', () => {
  const dead = documents.flatMap((page) =>
    localLinks(read(page))
      .filter((link) => {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? page : join(dirname(page), path);
        if (!existsSync(target)) return true;
        return anchor !== undefined && !headingAnchors(read(target)).has(anchor);
      })
      .map((link) => `${page}: ${link}`),
  );
  expect(dead).toEqual([]);
});

it('has every page in the folder of its kind, and in the table of contents', () => {
  const kinds = readdirSync('docs').filter((name) => name !== 'README.md');
  expect(documentKinds).toEqual(expect.arrayContaining(kinds));
  const linked = localLinks(read('docs/README.md')).map((link) => `docs/${link}`);
  expect(guidePages.filter((page) => page !== 'docs/README.md' && !linked.includes(page))).toEqual([]);
  expect(localLinks(read('README.md'))).toContain('docs/README.md');
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
  expect(
    variables.filter((name) => !read('docs/reference/configuration.md').includes(`\`${name}\``)),
  ).toEqual([]);
});

it('lists every REST path', () => {
  const text = `${read('docs/reference/interface.md')}${read('docs/reference/webhooks.md')}`;
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
  const contract = json('schema/openapi.json').info.version;
  const newest = /^## (\d\S*)/m.exec(read('CHANGELOG.md'))?.[1];
  expect([contract, newest]).toEqual([version, version]);
  expect(listVersions().filter((line) => !line.endsWith(`: ${version}`))).toEqual([]);
});
