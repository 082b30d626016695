/** Endpoints of the viewer's sessions, orders and memberships, which the gateway adds to the contract. */
const deleted = [{ id: 'string', deleted: 'boolean' }] as const;

export const sessionEndpoints = {
  'GET /v1/users/me/sessions': {
    query: ['limit', 'cursor'],
    answers: [
      {
        items: [
          {
            id: 'string',
            provider: 'string',
            address: 'string?',
            isCurrent: 'boolean',
            createdAt: 'integer',
            lastSeenAt: 'integer?',
            expiresAt: 'integer?',
          },
        ],
        cursor: 'string',
      },
    ],
  },
  'POST /v1/users/resend-confirmation': { body: ['email', 'reserveDomain'], answers: ['Success'] },
  'GET /v1/users/me/orders': {
    query: ['limit', 'cursor'],
    answers: [{ items: ['Order'], cursor: 'string' }],
  },
  'DELETE /v1/users/me/sessions': { answers: ['Success'] },
  'DELETE /v1/users/me/sessions/{id}': { answers: deleted },
  'DELETE /v1/users/me/businesses/{businessId}': { answers: deleted },
  'DELETE /v1/businesses/{businessId}/members/{userId}': { answers: deleted },
} as const;
