/** Names of the client packages in import declarations. */
export const restPackage = 'duet-client-rest';
export const graphqlPackage = 'duet-client-graphql';
export const restModule = `${graphqlPackage}/rest`;
export const operationsModule = `${graphqlPackage}/operations`;
