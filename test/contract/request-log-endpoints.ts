/** Endpoints of the request log and of API usage, which the gateway adds to the contract. */
const request = {
  id: 'string',
  businessId: 'string',
  requestId: 'string',
  protocol: 'string',
  method: 'string',
  operation: 'string',
  path: 'string',
  isWrite: 'boolean',
  status: 'integer',
  code: 'string?',
  message: 'string?',
  details: 'any?',
  advice: 'string?',
  durationMs: 'number',
  caller: 'string',
  userId: 'string?',
  userName: 'string?',
  keyId: 'string?',
  keyName: 'string?',
  clientName: 'string?',
  apiVersion: 'string?',
  body: 'any?',
  createdAt: 'integer',
} as const;

const errorGroup = {
  protocol: 'string',
  operation: 'string',
  code: 'string',
  message: 'string?',
  advice: 'string?',
  requests: 'integer',
  clients: 'integer',
  firstAt: 'integer',
  lastAt: 'integer',
  lastRequestId: 'string',
} as const;

const client = {
  caller: 'string',
  protocol: 'string',
  clientName: 'string?',
  keyId: 'string?',
  keyName: 'string?',
  apiVersion: 'string?',
  requests: 'integer',
  errors: 'integer',
  lastAt: 'integer',
} as const;

const settings = {
  businessId: 'string',
  enabled: 'boolean',
  bodiesUntil: 'integer?',
  retentionDays: 'integer',
  maxRequests: 'integer',
  skippedToday: 'number',
} as const;

export const requestLogEndpoints = (business: string) => ({
  [`GET ${business}/requests`]: {
    query: [
      ...['limit', 'cursor', 'requestId', 'protocol', 'failed'],
      ...['code', 'operation', 'client', 'since', 'until'],
    ],
    answers: [{ items: [request] as const, cursor: 'string' }],
  },
  [`GET ${business}/request-errors`]: { query: ['days'], answers: [{ errors: [errorGroup] as const }] },
  [`GET ${business}/request-clients`]: { query: ['days'], answers: [{ clients: [client] as const }] },
  [`GET ${business}/request-log-settings`]: { answers: [settings] },
  [`PUT ${business}/request-log-settings`]: { body: ['recordBodies'], answers: [settings] },
  [`PATCH ${business}/request-log-settings`]: { body: ['recordBodies'], answers: [settings] },
  [`GET ${business}/usage`]: {
    query: ['days', 'kind'],
    answers: [
      {
        usage: [
          {
            kind: 'string',
            name: 'string',
            client: 'string',
            keyName: 'string?',
            userId: 'string?',
            userName: 'string?',
            calls: 'number',
            deprecationReason: 'string?',
            lastAt: 'integer',
          },
        ],
      },
    ],
  },
});
