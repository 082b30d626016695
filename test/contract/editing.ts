/** Paths of editing entries, which the documented contract does not have. */
const entry = '/v1/businesses/{businessId}/entries/{id}';

export const editing = {
  [`PUT ${entry}/schedule`]: { body: ['publishAt', 'unpublishAt'], answers: ['Entry'] },
  [`GET ${entry}/versions`]: {
    query: ['limit', 'cursor'],
    answers: [{ items: 'array', cursor: 'string?' }],
  },
  [`GET ${entry}/differences`]: { query: ['from', 'to'], answers: [{ differences: 'array' }] },
  [`POST ${entry}/restore`]: { body: ['from'], answers: ['Entry'] },
  [`POST ${entry}/duplicate`]: { answers: ['Entry'] },
  'POST /v1/businesses/{businessId}/entries/statuses': {
    body: ['ids', 'status'],
    answers: [{ results: 'array' }],
  },
};
