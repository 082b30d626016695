/** Wraps resolvers so that they reject instead of throwing synchronously. */
import { type GraphQLSchema, isObjectType } from 'graphql';
import { pureReaderOf } from '../schema/pure-field-plugin.ts';

/**
 * When an item of a list throws synchronously, graphql-js stops and abandons the promises of the items before it: if one of those rejects,
 * the unhandled rejection ends the process. Root fields are never inside of a list, so they are not wrapped.
 */
export function convertResolverThrowsToRejections(schema: GraphQLSchema): GraphQLSchema {
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
