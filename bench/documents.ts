/** The stored operations as a client would send them. */
import { GetProductDocument, ListProductsDocument } from '../src/generated/operations.ts';

export const productQueries = { list: ListProductsDocument.toString(), get: GetProductDocument.toString() };
