/** Deprecation reasons by schema coordinate, such as `Order.paidBy` or `Query.orders.status`. */
import { type GraphQLSchema, isInputObjectType, isObjectType } from 'graphql';

/** Null for coordinates that are not deprecated, or that an earlier version of the schema had. */
export function findDeprecationReason(schema: GraphQLSchema, coordinate: string): string | null {
  const [typeName = '', fieldName = '', argName] = coordinate.split('.');
  const type = schema.getType(typeName);
  const field = isObjectType(type) || isInputObjectType(type) ? type.getFields()[fieldName] : undefined;
  if (!field || argName === undefined) return field?.deprecationReason ?? null;
  const args = 'args' in field ? field.args : [];
  return args.find(({ name }) => name === argName)?.deprecationReason ?? null;
}
