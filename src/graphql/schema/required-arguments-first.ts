/** Reading order of a schema: required arguments and input fields before optional ones, otherwise in their order. */
import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  lexicographicSortSchema,
} from 'graphql';

/** Reorders the arguments of all fields in place. PERF: copying the schema would slow down the start. */
export function orderRequiredArgumentsFirst(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type) || isInterfaceType(type))
      for (const { args } of Object.values(type.getFields()))
        if (args.length > 1)
          (args as GraphQLArgument[]).sort(
            (a, b) => Number(isRequiredArgument(b)) - Number(isRequiredArgument(a)),
          );
  return schema;
}

/** Sorted copy for printed contracts: by name, required arguments and input fields first. */
export const sortSchemaForReading = (schema: GraphQLSchema): GraphQLSchema =>
  orderRequiredInputFieldsFirst(orderRequiredArgumentsFirst(lexicographicSortSchema(schema)));

/** Reorders the fields of all input types in place. Only for printing: coercion reports errors in the order of the fields. */
function orderRequiredInputFieldsFirst(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isInputObjectType(type)) continue;
    const fields: Record<string, GraphQLInputField> = type.getFields();
    const entries = Object.entries(fields).sort(
      ([, a], [, b]) => Number(isRequiredInputField(b)) - Number(isRequiredInputField(a)),
    );
    for (const [name] of entries) delete fields[name];
    Object.assign(fields, Object.fromEntries(entries));
  }
  return schema;
}
