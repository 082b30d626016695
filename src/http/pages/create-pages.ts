/** All pages and static files outside REST and GraphQL, by exact path. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { jsonContentType } from '../../http-message.ts';
import { packageRoot } from '../../lib/package-info.ts';
import { demoPictureSvgsByPath } from '../../seed/pictures.ts';
import { apiTokenBarScript } from './api-token-bar.ts';
import { customerStyle } from './customer/customer-page-layout.ts';
import { createGraphiqlPages } from './graphiql-pages.ts';
import { createGuidePages } from './guide/guide-pages.ts';
import { createStaticFilePage, type HttpPageHandler } from './http-page.ts';
import { createLandingPage } from './landing-page.ts';
import { sharedPageAssets } from './page-assets.ts';
import { createReferencePages } from './reference/reference-page.ts';
import { replaceDemoValuesByPlaceholders } from './replace-demo-values-by-placeholders.ts';
import { translatorStyle } from './rest-graphql-translator/translator-page.ts';
import { createWorkbenchPages } from './workbench/workbench-page.ts';

interface PagesOptions {
  config: Config;
  isReady(): Promise<boolean>;
}

export function createPages({ config, isReady }: PagesOptions): ReadonlyMap<string, HttpPageHandler> {
  return new Map<string, HttpPageHandler>([
    ['/', createLandingPage({ config, isReady })],
    [
      '/v1/openapi.json',
      config.seedDemo ? createStaticFilePage(jsonContentType, readOpenApi) : openApiWithoutDemo,
    ],
    ['/assets/openapi-without-demo.json', openApiWithoutDemo],
    ['/schema.graphql', createStaticFilePage('text/plain; charset=utf-8', readSchema)],
    ...createReferencePages(config),
    ...createGraphiqlPages(config),
    ...createGuidePages(),
    ...createWorkbenchPages(config),
    ...[...demoPictureSvgsByPath].map(([path, svg]): [string, HttpPageHandler] => [
      path,
      createStaticFilePage('image/svg+xml', () => svg, pictureOptions),
    ]),
    ...Object.values({
      ...sharedPageAssets,
      customerStyle,
      migrateStyle: translatorStyle,
      sessionScript: apiTokenBarScript,
    }).map(({ path, type, text }): [string, HttpPageHandler] => [
      path,
      createStaticFilePage(type, () => text, { immutable: true }),
    ]),
  ]);
}

/** The policy disables scripts in an SVG that is opened directly. Pages of other origins may embed it. */
const pictureOptions = {
  headers: {
    'cache-control': 'public, max-age=86400',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
  },
};

const readSchema = () => readFileSync(join(packageRoot, 'schema', 'schema.graphql'), 'utf8');

/** The OpenAPI document that `npm run generate` writes, minified. */
const readOpenApi = () =>
  JSON.stringify(JSON.parse(readFileSync(join(packageRoot, 'schema', 'openapi.json'), 'utf8')));

const openApiWithoutDemo = createStaticFilePage(jsonContentType, () =>
  replaceDemoValuesByPlaceholders(readOpenApi()),
);
