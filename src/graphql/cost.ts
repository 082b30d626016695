/** What an operation costs, depending on its page sizes. */
import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { VariableTypes } from './coerce.ts';
import type { Limits, Variables } from './executor.ts';

/** Undefined: the operation may run with these variables. */
export type CostCheck = (variables: Variables) => GraphQLError | undefined;

/** The cost depends on page sizes alone, so it is reckoned once for each set of numbers among the variables. */
export function createCostCheck(
  schema: GraphQLSchema,
  document: DocumentNode,
  node: OperationDefinitionNode,
  types: VariableTypes,
  limits: Limits,
): CostCheck {
  const weighed = onlyOperation(document, node);
  const verdicts = new LRUCache<string, { error: GraphQLError | undefined }>({ max: 50 });
  return (variables) => {
    let key = '';
    for (const { name } of types)
      if (typeof variables[name] === 'number') key += `${name}=${variables[name]};`;
    let verdict = verdicts.get(key);
    if (!verdict) {
      const { complexity, depth, breadth } = complexityFromQuery(weighed, { schema, variables });
      verdict = {
        error:
          tooMuch(complexity, limits.cost, 'complex') ??
          tooMuch(depth, limits.depth, 'deep') ??
          tooMuch(breadth, limits.breadth, 'wide'),
      };
      verdicts.set(key, verdict);
    }
    return verdict.error;
  };
}

const tooMuch = (value: number, limit: number, how: string) =>
  value > limit
    ? new GraphQLError(
        `The query is too ${how} (${value}, at most ${limit}). Ask for fewer fields, or for smaller pages.`,
        { extensions: { code: 'BAD_REQUEST', details: [], http: { status: 400, spec: true } } },
      )
    : undefined;

/** complexityFromQuery looks at the first operation it finds. */
const onlyOperation = (document: DocumentNode, node: OperationDefinitionNode): DocumentNode => ({
  ...document,
  definitions: [
    node,
    ...document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION),
  ],
});
