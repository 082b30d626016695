/** The words that businesses add to the lists of the gateway. */
export const permissions = ['ADMIN'];
