/** Endpoints of invitations, which the gateway adds to the contract. */
const invitation = {
  id: 'string',
  businessId: 'string',
  email: 'string',
  role: { id: 'string', name: 'string' },
  inviterId: 'string',
  state: 'string',
  expiresAt: 'integer',
  createdAt: 'integer',
  updatedAt: 'integer',
} as const;

export const invitationEndpoints = {
  'POST /v1/businesses/{businessId}/invitations': {
    body: ['email', 'roleId'],
    answers: [invitation],
  },
  'GET /v1/businesses/{businessId}/invitations': {
    query: ['limit', 'cursor'],
    answers: [{ items: [invitation], cursor: 'string' }],
  },
  'POST /v1/businesses/{businessId}/invitations/{id}/resend': { answers: [invitation] },
  'DELETE /v1/businesses/{businessId}/invitations/{id}': { answers: [{ id: 'string', deleted: 'boolean' }] },
  'POST /v1/invitations/accept': { body: ['token'], answers: [invitation] },
} as const;
