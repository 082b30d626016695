/** Endpoints of imports and exports as data: query parameters, body fields and responses. */
import type { Shape } from './documented-resources.ts';

const operation: readonly Shape[] = ['BulkOperation'];
const listOf = (item: Shape): Shape => ({ items: [item], cursor: 'string' });
const targetFields = ['resource', 'format', 'collectionId'];
const paged = ['limit', 'cursor'];

export const bulkEndpoints = (path: string) => ({
  [`POST ${path}/imports`]: { body: [...targetFields, 'content'], answers: operation },
  [`POST ${path}/exports`]: { body: targetFields, answers: operation },
  [`GET ${path}`]: { query: [...paged, 'kind', 'state'], answers: [listOf('BulkOperation')] },
  [`GET ${path}/{id}`]: { answers: operation },
  [`GET ${path}/{id}/errors`]: { query: paged, answers: [listOf('BulkError')] },
  [`POST ${path}/{id}/cancel`]: { answers: operation },
});
