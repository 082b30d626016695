/**
 * PERF: calls the resolver of a root field directly, with the arguments that an execution would pass. For fields that every signed-in viewer
 * may read it skips the bookkeeping of Pothos' scope plugin.
 */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  type ValueNode,
  valueFromAST,
} from 'graphql';
import type { Context } from '../../context.ts';
import { memoizeOnArguments } from '../../lib/cache/hidden-property.ts';
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import { getPothosFieldOptions } from '../../vendor/pothos/field-extensions.ts';
import type { Variables } from '../execute/coerce-variables.ts';
import { storefrontScope } from '../schema/auth-scopes.ts';
import { rootResolverOf } from '../schema/pure-field-plugin.ts';

type CallRootField = (variables: Variables, ctx: Context) => Promise<object | null | undefined>;

type ArgumentReader = (variables: Variables) => unknown;

/** Undefined: an argument is neither a variable nor a constant. */
export function createRootFieldCall(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  node: FieldNode,
  parentType: GraphQLObjectType,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): CallRootField | undefined {
  const field = parentType.getFields()[node.name.value];
  const resolve = field && resolverWithFastScopeCheck(field);
  if (!field || !resolve) return undefined;
  const args = createArgumentReaders(schema, operation, node, field);
  if (!args) return undefined;
  const path = { prev: undefined, key: node.alias?.value ?? field.name, typename: parentType.name };
  const info = {
    fieldName: field.name,
    fieldNodes: [node],
    parentType,
    returnType: field.type,
    path,
    schema,
    operation,
    fragments: Object.fromEntries(fragments),
    rootValue: undefined,
  };
  const valuesOf = (variables: Variables) => {
    const values: Record<string, unknown> = {};
    for (const [name, read] of args) {
      const value = read(variables);
      if (value !== undefined) values[name] = value;
    }
    return values;
  };
  return async (variables, ctx) => {
    const values = memoizeOnArguments(variables, args, () => valuesOf(variables));
    // PERF: `info` is rarely used, and copying it for each request would cost more than the rest of the call.
    const requestInfo = Object.create(info);
    requestInfo.variableValues = variables;
    return (await resolve(undefined, values, ctx, requestInfo)) as object | null | undefined;
  };
}

function createArgumentReaders(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  node: FieldNode,
  field: GraphQLField<unknown, Context>,
): [string, ArgumentReader][] | undefined {
  const args: [string, ArgumentReader][] = [];
  for (const { name, type, defaultValue } of field.args) {
    const value = node.arguments?.find((argument) => argument.name.value === name)?.value;
    const read = value ? createArgumentReader(schema, operation, value, type) : () => undefined;
    if (!read) return undefined;
    args.push([name, defaultValue === undefined ? read : (variables) => read(variables) ?? defaultValue]);
  }
  return args;
}

function createArgumentReader(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  value: ValueNode,
  type: GraphQLInputType,
): ArgumentReader | undefined {
  if (value.kind !== Kind.VARIABLE) {
    if (containsVariables(value)) return undefined;
    const constant = valueFromAST(value, type);
    return () => constant;
  }
  const name = value.name.value;
  const definition = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name);
  const declared = definition && (typeFromAST(schema, definition.type) as GraphQLInputType);
  const convert = declared && converterOf(declared);
  if (!convert) return undefined;
  const fallback = definition.defaultValue && valueFromAST(definition.defaultValue, declared);
  return (variables) => {
    const variable = variables[name];
    return variable === undefined ? fallback : convert(variable);
  };
}

const containsVariables = (value: ValueNode): boolean => {
  if (value.kind === Kind.VARIABLE) return true;
  if (value.kind === Kind.LIST) return value.values.some(containsVariables);
  return value.kind === Kind.OBJECT;
};

/** Converts a valid variable value to the argument value that resolvers receive. */
function converterOf(type: GraphQLInputType): ((value: unknown) => unknown) | undefined {
  if (isNonNullType(type)) return converterOf(type.ofType);
  if (isListType(type)) {
    const item = converterOf(type.ofType);
    return item && ((value) => (Array.isArray(value) ? value.map(item) : value));
  }
  if (isInputObjectType(type)) return fieldsConverter(type);
  if (!isLeafType(type)) return undefined;
  return (value) => (value === null ? null : type.parseValue(value));
}

/** The converters of the fields are created with the first value, because input types may be recursive. */
function fieldsConverter(type: GraphQLInputObjectType): (value: unknown) => unknown {
  let converters: Map<string, (value: unknown) => unknown> | undefined;
  return (value) => {
    if (value === null || typeof value !== 'object') return value;
    converters ??= new Map(
      Object.values(type.getFields()).map((field) => [
        field.name,
        converterOf(field.type) ?? ((value) => value),
      ]),
    );
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, converters?.get(name)?.(inner) ?? inner]),
    );
  };
}

type Resolver = GraphQLFieldResolver<unknown, Context>;

export const isReadableByAnySignedInViewer = (field: GraphQLField<unknown, Context>): boolean => {
  const { authScopes, grantScopes } = getPothosFieldOptions(field) ?? {};
  if (grantScopes !== undefined) return false;
  if (authScopes === storefrontScope) return true;
  return isPlainObject(authScopes) && authScopes.signedIn === true && Object.keys(authScopes).length === 1;
};

/** Calls the unwrapped resolver for signed-in viewers, who pass the scope; other viewers take the regular path and get its error. */
export function resolverWithFastScopeCheck(field: GraphQLField<unknown, Context>): Resolver | undefined {
  const { resolve } = field;
  const inner = rootResolverOf(field);
  if (!resolve || !inner || !isReadableByAnySignedInViewer(field)) return resolve;
  return (root, args, ctx, info) =>
    ctx.viewer.user ? inner(root, args, ctx) : resolve(root, args, ctx, info);
}
