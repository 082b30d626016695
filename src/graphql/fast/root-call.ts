/** Calls the resolver of a root field by itself, with the arguments an execution would give it. */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
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
import { memoizeOnArguments } from '../../lib/cache/memoize-on-arguments.ts';
import type { Variables } from '../execute/coerce-variables.ts';
import { resolverWithFastScopeCheck } from './scope-check.ts';

export type RootCall = (variables: Variables, ctx: Context) => unknown;

type Argument = (variables: Variables) => unknown;

/** Undefined: the arguments are more than plain variables and constants. */
export function createRootCall(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  node: FieldNode,
  parentType: GraphQLObjectType,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): RootCall | undefined {
  const field = parentType.getFields()[node.name.value];
  const resolve = field && resolverWithFastScopeCheck(field);
  if (!field || !resolve) return undefined;
  const args = argumentsOf(schema, operation, node, field);
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
  return (variables, ctx) => {
    const values = memoizeOnArguments(variables, args, () => valuesOf(variables));
    // Hardly anybody looks at it, and a copy for each request costs more than the rest of this.
    const own = Object.create(info);
    own.variableValues = variables;
    return resolve(undefined, values, ctx, own);
  };
}

function argumentsOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  node: FieldNode,
  field: GraphQLField<unknown, Context>,
): [string, Argument][] | undefined {
  const args: [string, Argument][] = [];
  for (const { name, type, defaultValue } of field.args) {
    const value = node.arguments?.find((sent) => sent.name.value === name)?.value;
    const read = value ? argumentOf(schema, operation, value, type) : () => undefined;
    if (!read) return undefined;
    args.push([name, defaultValue === undefined ? read : (variables) => read(variables) ?? defaultValue]);
  }
  return args;
}

function argumentOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  value: ValueNode,
  type: GraphQLInputType,
): Argument | undefined {
  if (value.kind !== Kind.VARIABLE) {
    if (holdsVariables(value)) return undefined;
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
    const sent = variables[name];
    return sent === undefined ? fallback : convert(sent);
  };
}

const holdsVariables = (value: ValueNode): boolean => {
  if (value.kind === Kind.VARIABLE) return true;
  if (value.kind === Kind.LIST) return value.values.some(holdsVariables);
  return value.kind === Kind.OBJECT;
};

/** From what was sent, and found to be valid, to what resolvers are given. */
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

/** Field by field, found when the first value comes: inputs may hold inputs of their own kind. */
function fieldsConverter(type: GraphQLInputObjectType): (value: unknown) => unknown {
  let converters: Map<string, (value: unknown) => unknown> | undefined;
  return (value) => {
    if (value === null || typeof value !== 'object') return value;
    converters ??= new Map(
      Object.values(type.getFields()).map((field) => [field.name, converterOf(field.type) ?? ((one) => one)]),
    );
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, converters?.get(name)?.(inner) ?? inner]),
    );
  };
}
