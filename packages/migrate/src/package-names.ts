/** Names of the client packages in import declarations. */
export const restPackage = '@duet-gateway/client-rest';
export const graphqlPackage = '@duet-gateway/client-graphql';
export const restModule = `${graphqlPackage}/rest`;
export const operationsModule = `${graphqlPackage}/operations`;
