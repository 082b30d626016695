/** Everything a browser may ask for beside the two voices. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { packageRoot } from '../../lib/package-root.ts';
import { jsonType } from '../../message.ts';
import { demoPictures } from '../../seed/pictures.ts';
import { graphiqlPages } from './graphiql.ts';
import { landingPage } from './landing.ts';
import { customerStyle } from './layout.ts';
import { own } from './own-files.ts';
import { fixedFile, type Page } from './page.ts';
import { referencePages } from './reference/page.ts';
import { sessionScript } from './session.ts';

export interface PageParts {
  config: Config;
  isReady(): Promise<boolean>;
}

export function createPages({ config, isReady }: PageParts): ReadonlyMap<string, Page> {
  return new Map<string, Page>([
    ['/', landingPage({ config, isReady })],
    ['/v1/openapi.json', fixedFile(jsonType, printedContract)],
    ['/schema.graphql', fixedFile('text/plain; charset=utf-8', printedSchema)],
    ...referencePages(config),
    ...graphiqlPages(config),
    ...[...demoPictures].map(([path, drawn]): [string, Page] => [
      path,
      fixedFile('image/svg+xml', () => drawn, picture),
    ]),
    ...Object.values({ ...own, customerStyle, sessionScript }).map(({ path, type, text }): [string, Page] => [
      path,
      fixedFile(type, () => text, { immutable: true }),
    ]),
  ]);
}

/** Opened by itself a picture is a document: one that may do nothing. Shops elsewhere may show it. */
const picture = {
  headers: {
    'cache-control': 'public, max-age=86400',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
  },
};

const printedSchema = () => readFileSync(join(packageRoot, 'schema', 'schema.graphql'), 'utf8');

/** Printed by `npm run generate`, and committed; without the spaces that are there for people. */
const printedContract = () =>
  JSON.stringify(JSON.parse(readFileSync(join(packageRoot, 'schema', 'openapi.json'), 'utf8')));
