/** `/v1/businesses/{businessId}/collections` */
import * as operations from '../../generated/operations.ts';
import { customRoute, deleteRoute, getRoute, listRoute, postRoute, putRoute } from '../../rest/route.ts';

const collections = '/v1/businesses/:businessId/collections';
const collection = `${collections}/:id` as const;

export const routes = [
  postRoute(collections, operations.CreateCollectionDocument, { answer: 'createCollection.collection' }),
  listRoute(collections, operations.ListCollectionsDocument, {
    query: ['ids', 'type', 'status'],
    answer: 'collections',
  }),
  getRoute(collection, operations.GetCollectionDocument, { answer: 'collection', missing: 'Collection' }),
  putRoute(collection, operations.UpdateCollectionDocument, { answer: 'updateCollection.collection' }),
  deleteRoute(collection, operations.DeleteCollectionDocument, {
    query: ['force'],
    answer: 'deleteCollection',
  }),
  customRoute('POST', `${collections}/blocks/generate`, operations.GenerateBlocksDocument, {
    answer: 'generateBlocks',
  }),
];
