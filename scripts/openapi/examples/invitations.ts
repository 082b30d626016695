/** OpenAPI example values for fields of invitations, by GraphQL coordinate. */
export const fields = {
  'Invitation.email': 'grace@people.example',
};
