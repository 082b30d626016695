/** Makes resolvers fail in one way. */
import { type GraphQLSchema, isObjectType } from 'graphql';
import { pureReaderOf } from '../fast/pure-fields.ts';

/**
 * Whatever throws rejects instead. In a list, graphql-js leaves off at an item that fails at once, and the promises of the items before it
 * to nobody: one of them that failed as well would end the process. Root fields are in no list.
 */
export function rejectInsteadOfThrowing(schema: GraphQLSchema): GraphQLSchema {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__') || roots.includes(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      if (!resolve || pureReaderOf(field)) continue;
      field.resolve = (parent, args, ctx, info) => {
        try {
          return resolve(parent, args, ctx, info);
        } catch (error) {
          return Promise.reject(error);
        }
      };
    }
  }
  return schema;
}
