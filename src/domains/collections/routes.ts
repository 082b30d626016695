/** `/v1/businesses/{businessId}/collections` */
import * as operations from '../../generated/operations.ts';
import { act, create, get, list, remove, update } from '../../rest/row.ts';

const collections = '/v1/businesses/:businessId/collections';
const collection = `${collections}/:id` as const;

export const routes = [
  create(collections, operations.CreateCollectionDocument, { answer: 'createCollection.collection' }),
  list(collections, operations.ListCollectionsDocument, {
    query: ['ids', 'type', 'status'],
    answer: 'collections',
  }),
  get(collection, operations.GetCollectionDocument, { answer: 'collection', missing: 'Collection' }),
  update(collection, operations.UpdateCollectionDocument, { answer: 'updateCollection.collection' }),
  remove(collection, operations.DeleteCollectionDocument, { query: ['force'], answer: 'deleteCollection' }),
  act('POST', `${collections}/blocks/generate`, operations.GenerateBlocksDocument, {
    answer: 'generateBlocks',
  }),
];
