/** Everything a browser may ask for beside the two voices. */
import type { GraphQLSchema } from 'graphql';
import type { Config } from '../../config.ts';
import { jsonType } from '../../message.ts';
import { printOpenApi } from '../../rest/openapi/print.ts';
import type { Row } from '../../rest/row.ts';
import { graphiqlPages } from './graphiql.ts';
import { landingPage } from './landing.ts';
import { own } from './own-files.ts';
import { fixedFile, type Page } from './page.ts';
import { referencePages } from './reference.ts';

export interface PageParts {
  config: Config;
  schema: GraphQLSchema;
  rows: readonly Row[];
  isReady(): Promise<boolean>;
}

export function createPages({ config, schema, rows, isReady }: PageParts): ReadonlyMap<string, Page> {
  return new Map<string, Page>([
    ['/', landingPage({ config, isReady })],
    ['/v1/openapi.json', fixedFile(jsonType, () => JSON.stringify(printOpenApi(schema, rows)))],
    ...referencePages,
    ...graphiqlPages(config.trustedOnly),
    ...Object.values(own).map(({ path, type, text }): [string, Page] => [
      path,
      fixedFile(type, () => text, { immutable: true }),
    ]),
  ]);
}
