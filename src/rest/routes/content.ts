/** `/v1/businesses/{businessId}/collections` and `/entries` */
import * as operations from '../../generated/operations.ts';
import { list, pageVariables, paging, row } from '../row.ts';

const collections = '/v1/businesses/:businessId/collections';
const collection = `${collections}/:id`;
const entries = '/v1/businesses/:businessId/entries';
const entry = `${entries}/:id`;

export const contentRows = [
  row('POST', collections, operations.CreateCollectionDocument, {
    variables: ({ path, body }) => ({ ...path, input: body }),
    body: (data) => data.createCollection.collection,
  }),
  row('GET', collections, operations.ListCollectionsDocument, {
    query: { ...paging, ids: 'strings', type: 'string', status: 'string' },
    variables: (request) => {
      const { ids, type, status } = request.query;
      return { ...request.path, ...pageVariables(request), ids, type, status };
    },
    body: (data) => list(data.collections),
  }),
  row('GET', collection, operations.GetCollectionDocument, {
    variables: ({ path }) => path,
    body: (data) => data.collection,
    missing: 'Collection',
  }),
  row('PUT', collection, operations.UpdateCollectionDocument, {
    variables: ({ path, body, version }) => ({ ...path, input: body, version }),
    body: (data) => data.updateCollection.collection,
  }),
  row('DELETE', collection, operations.DeleteCollectionDocument, {
    query: { force: 'boolean' },
    variables: ({ path, query, version }) => ({ ...path, version, force: query.force }),
    body: (data) => data.deleteCollection,
  }),
  row('POST', `${collections}/blocks/generate`, operations.GenerateBlocksDocument, {
    variables: ({ path, body }) => ({ ...path, input: body }),
    body: (data) => data.generateBlocks,
  }),
  row('POST', `${collections}/:collectionId/subscribe`, operations.SubscribeDocument, {
    variables: ({ path, body: { plan_id, ...body } }) => ({
      ...path,
      input: { ...body, planId: body.planId ?? plan_id },
    }),
    body: ({ subscribe: { subscription, checkoutUrl } }) => subscription ?? { checkoutUrl },
  }),
  row('GET', `${collection}/subscribers`, operations.ListSubscribersDocument, {
    query: { ...paging, status: 'string' },
    variables: (request) => ({
      ...request.path,
      ...pageVariables(request),
      status: request.query.status,
    }),
    body: (data) => list(data.subscribers),
  }),
  row('POST', `${collections}/unsubscribe`, operations.UnsubscribeDocument, {
    query: { token: 'string' },
    variables: ({ path, query, body }) => ({ ...path, token: body.token ?? query.token }),
    body: (data) => data.unsubscribe,
  }),
  // For clients that ask for JSON alone; everybody else gets a page with a button, see http/pages/unsubscribe.ts.
  row('GET', `${collections}/unsubscribe`, operations.UnsubscribeDocument, {
    query: { token: 'string' },
    variables: ({ path, query }) => ({ ...path, token: query.token }),
    body: (data) => data.unsubscribe,
  }),

  row('POST', entries, operations.CreateEntryDocument, {
    variables: ({ path, body }) => ({ ...path, input: body }),
    body: (data) => data.createEntry.entry,
  }),
  row('GET', entries, operations.ListEntriesDocument, {
    query: {
      ...paging,
      ids: 'strings',
      collectionId: 'string',
      owner: 'string',
      locale: 'string',
      status: 'string',
    },
    variables: (request) => {
      const { ids, collectionId, owner, locale, status } = request.query;
      return { ...request.path, ...pageVariables(request), ids, collectionId, owner, locale, status };
    },
    body: (data) => list(data.entries),
  }),
  row('GET', entry, operations.GetEntryDocument, {
    variables: ({ path }) => path,
    body: (data) => data.entry,
    missing: 'Entry',
  }),
  row('PUT', entry, operations.UpdateEntryDocument, {
    variables: ({ path, body, version }) => ({ ...path, input: body, version }),
    body: (data) => data.updateEntry.entry,
  }),
  row('DELETE', entry, operations.DeleteEntryDocument, {
    variables: ({ path, version }) => ({ ...path, version }),
    body: (data) => data.deleteEntry,
  }),
  row('POST', `${entry}/send`, operations.SendEntryDocument, {
    variables: ({ path, body }) => ({ ...path, scheduledAt: body.scheduledAt }),
    body: (data) => data.sendEntry,
  }),
  row('GET', '/v1/collections/entry-types/:entryType/variables', operations.TemplateVariablesDocument, {
    variables: ({ path }) => path,
    body: (data) => data.templateVariables && { variables: data.templateVariables },
    missing: 'Entry type',
  }),
];
