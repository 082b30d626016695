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
  definePostRoute(collections, operations.CreateCollectionDocument, {
    response: 'createCollection.collection',
  }),
  defineListRoute(collections, operations.ListCollectionsDocument, {
    query: ['ids', 'type', 'status'],
    response: 'collections',
  }),
  defineGetRoute(collection, operations.GetCollectionDocument, {
    response: 'collection',
    recordName: 'Collection',
  }),
  ...defineUpdateRoutes(collection, operations.UpdateCollectionDocument, {
    response: 'updateCollection.collection',
  }),
  defineDeleteRoute(collection, operations.DeleteCollectionDocument, {
    query: ['force'],
    response: 'deleteCollection',
  }),
  defineCustomRoute('POST', `${collections}/blocks/generate`, operations.GenerateBlocksDocument, {
    response: 'generateBlocks',
  }),
];
