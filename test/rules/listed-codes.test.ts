/** The check of detail codes in GraphQL responses finds codes that a root field does not list. */
import { expect, it } from 'vitest';
import { assertCodesAreListed, type GraphqlBody } from '../support/listed-codes.ts';

const thrown = (field: string, error: string): GraphqlBody => ({
  errors: [{ path: [field], extensions: { details: [{ error }] } }],
});
const returned = (field: string, code: string, path: string | null): GraphqlBody => ({
  data: { [field]: { errors: [{ code, field: path }] } },
});

it.each([
  ['query { quote }', thrown('quote', 'SLUG_TAKEN')],
  ['mutation { createCategory }', returned('createCategory', 'OUT_OF_STOCK', 'parentId')],
  ['mutation { createOrder }', returned('createOrder', 'QUOTE_EXPIRED', 'quote')],
])('finds the code of %s', (query, body) => {
  expect(() => assertCodesAreListed(query, body)).toThrow('which its description does not list');
});

it.each([
  ['query { quote }', thrown('quote', 'OUT_OF_STOCK')],
  ['query { quote }', thrown('quote', 'REQUIRED')],
  ['query { alias: quote }', thrown('alias', 'SLUG_TAKEN')],
  ['mutation { updateCategory }', returned('updateCategory', 'CATEGORY_CIRCLE', 'parentId')],
  ['mutation { createCategory }', returned('createCategory', 'NOT_FOUND', null)],
  ['query { bulkOperation }', returned('bulkOperation', 'SKU_TAKEN', 'sku')],
])('accepts the code of %s', (query, body) => {
  expect(() => assertCodesAreListed(query, body)).not.toThrow();
});
