/** Everything a browser may ask for beside the two voices. */
import type { GraphQLSchema } from 'graphql';
import { printOpenApi } from '../../rest/openapi/print.ts';
import type { Row } from '../../rest/row.ts';
import { jsonType } from '../message.ts';
import { fixedFile, type Page } from './page.ts';

export interface PageParts {
  schema: GraphQLSchema;
  rows: readonly Row[];
}

export function createPages({ schema, rows }: PageParts): ReadonlyMap<string, Page> {
  return new Map([
    ['/v1/openapi.json', fixedFile(jsonType, () => JSON.stringify(printOpenApi(schema, rows)))],
  ]);
}
