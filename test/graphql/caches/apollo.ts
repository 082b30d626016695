/** Apollo Client's cache, without React and without configuration except the types of interfaces and unions. */
import { InMemoryCache } from '@apollo/client/cache';
import { type DocumentNode, isAbstractType, Kind, OperationTypeNode } from 'graphql';
import { schema } from '../../../src/graphql/schema/schema.ts';
import { type ClientCache, operationOf } from './cached-operation.ts';

const possibleTypes = Object.fromEntries(
  Object.values(schema.getTypeMap())
    .filter(isAbstractType)
    .map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]),
);

/** The cache reads queries only; it stores the fields of a mutation at a root of their own. */
function toQuery(document: DocumentNode): { id: string; query: DocumentNode } {
  if (operationOf(document).operation === OperationTypeNode.QUERY)
    return { id: 'ROOT_QUERY', query: document };
  const definitions = document.definitions.map((node) =>
    node.kind === Kind.OPERATION_DEFINITION ? { ...node, operation: OperationTypeNode.QUERY } : node,
  );
  return { id: 'ROOT_MUTATION', query: { ...document, definitions } };
}

export function createApolloCache(): ClientCache {
  const cache = new InMemoryCache({ possibleTypes });
  return {
    write({ document, variables, data }) {
      const { id, query } = toQuery(document);
      cache.write({ dataId: id, query, variables, result: data as object });
    },
    read: ({ document, variables }) =>
      cache.diff({ ...toQuery(document), variables, optimistic: false, returnPartialData: true }).result,
  };
}
