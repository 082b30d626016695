/** Arguments of a root field as JSON, with the values of its variables. */
import { type ArgumentNode, Kind, type OperationDefinitionNode, type ValueNode } from 'graphql';

export type RootFieldArguments = Readonly<Record<string, unknown>>;

/** Values of the variables of an operation, with their defaults. */
export function applyVariableDefaults(
  { variableDefinitions = [] }: OperationDefinitionNode,
  values: RootFieldArguments,
): RootFieldArguments {
  const defaults = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, resolveValue(defaultValue, {})] as const] : [],
  );
  return { ...Object.fromEntries(defaults), ...values };
}

/** The JSON value of a literal with variables; enum values are strings. Undefined: a variable without a value. */
function resolveValue(node: ValueNode, variables: RootFieldArguments): unknown {
  switch (node.kind) {
    case Kind.VARIABLE:
      return variables[node.name.value];
    case Kind.NULL:
      return null;
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.LIST:
      return node.values.map((value) => resolveValue(value, variables));
    case Kind.OBJECT:
      return withoutMissing(
        node.fields.map(({ name, value }) => [name.value, resolveValue(value, variables)]),
      );
    default:
      return node.value;
  }
}

export const resolveRootFieldArguments = (
  nodes: readonly ArgumentNode[] = [],
  variables: RootFieldArguments,
): RootFieldArguments =>
  withoutMissing(nodes.map(({ name, value }) => [name.value, resolveValue(value, variables)]));

/** Null and absent are the same for arguments of queries; REST has no null in a query. */
const withoutMissing = (entries: readonly (readonly [string, unknown])[]): Record<string, unknown> =>
  Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));

/** Without nulls at any depth. */
export const removeNullsDeep = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(removeNullsDeep);
  if (typeof value !== 'object' || value === null) return value;
  return withoutMissing(Object.entries(value).map(([name, inner]) => [name, removeNullsDeep(inner)]));
};
