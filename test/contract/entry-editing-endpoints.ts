/** Endpoints of entry drafts, versions and schedules, which the gateway adds to the contract. */
const entry = '/v1/businesses/{businessId}/entries/{id}';
const draft = {
  locale: 'string',
  blocks: 'array',
  basedOn: 'integer',
  version: 'integer',
  updatedAt: 'integer',
};

export const entryEditingEndpoints = {
  [`PUT ${entry}/schedule`]: { body: ['publishAt', 'unpublishAt'], answers: ['Entry'] },
  [`GET ${entry}/versions`]: {
    query: ['limit', 'cursor'],
    answers: [{ items: 'array', cursor: 'string?' }],
  },
  [`GET ${entry}/differences`]: { query: ['from', 'to'], answers: [{ differences: 'array' }] },
  [`POST ${entry}/restore`]: { body: ['from'], answers: ['Entry'] },
  [`POST ${entry}/duplicate`]: { answers: ['Entry'] },
  [`GET ${entry}/draft`]: { answers: [draft] },
  [`PUT ${entry}/draft`]: { body: ['locale', 'blocks'], answers: [draft] },
  [`DELETE ${entry}/draft`]: { answers: ['Deleted'] },
  [`POST ${entry}/draft/publish`]: { body: ['draftVersion'], answers: ['Entry'] },
  [`POST ${entry}/previews`]: { body: ['expiresIn'], answers: [{ token: 'string', url: 'string' }] },
  'GET /v1/businesses/{businessId}/entry-previews/{token}': { answers: [{ entry: 'object' }] },
  'POST /v1/businesses/{businessId}/entries/statuses': {
    body: ['ids', 'status'],
    answers: [{ results: 'array' }],
  },
};
