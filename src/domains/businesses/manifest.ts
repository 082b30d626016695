/** The words that businesses add to the lists of the gateway. */
export const permissions = {
  ADMIN: 'Everything, also the business itself, its roles, members, keys of staff and settings.',
};
