/** REST routes below `/v1/businesses/{businessId}/collections`. */
import * as operations from '../../generated/operations.ts';
import { customRoute, deleteRoute, getRoute, listRoute, postRoute, putRoute } from '../../rest/route.ts';

const collections = '/v1/businesses/:businessId/collections';
const collection = `${collections}/:id` as const;

export const routes = [
  postRoute(collections, operations.CreateCollectionDocument, { response: 'createCollection.collection' }),
  listRoute(collections, operations.ListCollectionsDocument, {
    query: ['ids', 'type', 'status'],
    response: 'collections',
  }),
  getRoute(collection, operations.GetCollectionDocument, {
    response: 'collection',
    recordName: 'Collection',
  }),
  putRoute(collection, operations.UpdateCollectionDocument, { response: 'updateCollection.collection' }),
  deleteRoute(collection, operations.DeleteCollectionDocument, {
    query: ['force'],
    response: 'deleteCollection',
  }),
  customRoute('POST', `${collections}/blocks/generate`, operations.GenerateBlocksDocument, {
    response: 'generateBlocks',
  }),
];
