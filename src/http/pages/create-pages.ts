/** Everything a browser may ask for beside the two voices. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { jsonContentType } from '../../http-message.ts';
import { packageRoot } from '../../lib/package-info.ts';
import { demoPictures } from '../../seed/pictures.ts';
import { assets } from './assets.ts';
import { customerStyle } from './customer/layout.ts';
import { demoSessionScript } from './demo-session.ts';
import { graphiqlPages } from './graphiql.ts';
import { type HttpPage, staticFile } from './http-page.ts';
import { landingPage } from './landing.ts';
import { referencePages } from './reference/reference-page.ts';

export interface PagesOptions {
  config: Config;
  isReady(): Promise<boolean>;
}

export function createPages({ config, isReady }: PagesOptions): ReadonlyMap<string, HttpPage> {
  return new Map<string, HttpPage>([
    ['/', landingPage({ config, isReady })],
    ['/v1/openapi.json', staticFile(jsonContentType, printedContract)],
    ['/schema.graphql', staticFile('text/plain; charset=utf-8', printedSchema)],
    ...referencePages(config),
    ...graphiqlPages(config),
    ...[...demoPictures].map(([path, drawn]): [string, HttpPage] => [
      path,
      staticFile('image/svg+xml', () => drawn, picture),
    ]),
    ...Object.values({ ...assets, customerStyle, sessionScript: demoSessionScript }).map(
      ({ path, type, text }): [string, HttpPage] => [path, staticFile(type, () => text, { immutable: true })],
    ),
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
