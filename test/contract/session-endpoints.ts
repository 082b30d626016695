/** Endpoints of sessions and memberships, which the gateway adds to the contract. */
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
  'DELETE /v1/users/me/sessions': { answers: ['Success'] },
  'DELETE /v1/users/me/sessions/{id}': { answers: deleted },
  'DELETE /v1/users/me/businesses/{businessId}': { answers: deleted },
  'DELETE /v1/businesses/{businessId}/members/{userId}': { answers: deleted },
} as const;
