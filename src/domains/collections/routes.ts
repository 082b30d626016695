/** REST routes below `/v1/businesses/{businessId}/collections`. */
import * as operations from '../../generated/operations.ts';
import {
  defineCustomRoute,
  defineDeleteRoute,
  defineGetRoute,
  defineListRoute,
  definePostRoute,
  defineUpdateRoutes,
} from '../../rest/route.ts';

const collections = '/v1/businesses/:businessId/collections';
const collection = `${collections}/:id` as const;

export const routes = [
  definePostRoute(collections, operations.CreateCollectionDocument),
  defineListRoute(collections, operations.ListCollectionsDocument, { query: ['ids', 'type', 'status'] }),
  defineGetRoute(collection, operations.GetCollectionDocument, { recordName: 'Collection' }),
  ...defineUpdateRoutes(collection, operations.UpdateCollectionDocument),
  defineDeleteRoute(collection, operations.DeleteCollectionDocument, { query: ['force'] }),
  defineCustomRoute('POST', `${collections}/blocks/generate`, operations.GenerateBlocksDocument, {
    response: { at: 'generateBlocks' },
  }),
];
