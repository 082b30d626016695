/** The endpoints of imports and exports as data: what each takes and gives. */
import type { Shape } from './documented-resources.ts';

const one: readonly Shape[] = ['BulkOperation'];
const listOf = (item: Shape): Shape => ({ items: [item], cursor: 'string' });
const what = ['resource', 'format', 'collectionId'];
const paged = ['limit', 'cursor'];

export const bulkRows = (path: string) => ({
  [`POST ${path}/imports`]: { body: [...what, 'content'], answers: one },
  [`POST ${path}/exports`]: { body: what, answers: one },
  [`GET ${path}`]: { query: [...paged, 'kind', 'state'], answers: [listOf('BulkOperation')] },
  [`GET ${path}/{id}`]: { answers: one },
  [`GET ${path}/{id}/errors`]: { query: paged, answers: [listOf('BulkError')] },
  [`POST ${path}/{id}/cancel`]: { answers: one },
});
