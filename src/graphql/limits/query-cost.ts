/** What an operation costs with the page sizes it asks for: about as many values as its answer may have. */
import type { FieldComplexity } from '@pothos/plugin-complexity';
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  GraphQLInt,
  type GraphQLNamedType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Variables, VariableTypes } from '../execute/coerce-variables.ts';
import { introspectionCost } from './introspection-cost.ts';

type CostOf = (variables: Variables) => number;

/** Only for documents that `weigh` has found small enough: fragments are walked wherever they are spread. */
export function createCostEstimator(
  schema: GraphQLSchema,
  document: DocumentNode,
  node: OperationDefinitionNode,
  types: VariableTypes,
): CostOf {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const introspection = introspectionCost(schema);

  function ofField(node: FieldNode, type: GraphQLNamedType, around: string, variables: Variables): number {
    const name = node.name.value;
    const field = fieldOf(schema, type, name);
    const { own, times } = isIntrospectionType(type)
      ? { own: introspection.perValue, times: introspection.multiplier(type.name, name, around) }
      : complexityOf(field, node, variables);
    if (!field || !node.selectionSet) return own;
    return (
      own + times * ofSelections(node.selectionSet, getNamedType(field.type), `${around}/${name}`, variables)
    );
  }

  function ofSelections(
    { selections }: SelectionSetNode,
    type: GraphQLNamedType,
    around: string,
    variables: Variables,
  ): number {
    let cost = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        cost += ofField(selection, type, around, variables);
        continue;
      }
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      if (!fragment) continue;
      const condition = fragment.typeCondition && schema.getType(fragment.typeCondition.name.value);
      cost += ofSelections(fragment.selectionSet, condition ?? type, around, variables);
    }
    return cost;
  }

  const root = schema.getRootType(node.operation);
  return remembered(types, (variables) =>
    root ? Math.ceil(ofSelections(node.selectionSet, root, '', variables)) : 0,
  );
}

function fieldOf(schema: GraphQLSchema, type: GraphQLNamedType, name: string) {
  if (type === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  }
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
}

/** What the field itself costs, and how many times what is selected in it. */
function complexityOf(
  field: GraphQLField<unknown, unknown> | undefined,
  node: FieldNode,
  variables: Variables,
): { own: number; times: number } {
  let complexity = field?.extensions.complexity as FieldComplexity<object, object> | undefined;
  if (typeof complexity === 'function' && field)
    complexity = complexity(getArgumentValues(field, node, variables), {}, field as never);
  if (typeof complexity === 'number') return { own: complexity, times: 1 };
  const { field: own = 1, multiplier = 1 } = typeof complexity === 'object' ? complexity : {};
  return { own, times: Math.max(multiplier, 0) };
}

const sizeOf = (value: unknown) => (Array.isArray(value) ? value.length : value);

/** The cost depends on page sizes and on the lengths of lists alone: it is reckoned once for each set of them. */
function remembered(types: VariableTypes, costOf: CostOf): CostOf {
  const sizes = types.filter(({ type }) => {
    const inner = getNullableType(type);
    return inner === GraphQLInt || isListType(inner);
  });
  const defaults = Object.fromEntries(
    types.filter(({ hasDefault }) => hasDefault).map(({ name, defaultValue }) => [name, defaultValue]),
  );
  const known = new LRUCache<string, number>({ max: 50 });
  return (variables) => {
    // Null is not the same as absent: only what is absent has its default.
    const key = sizes.map(({ name }) => (name in variables ? sizeOf(variables[name]) : 'absent')).join();
    let cost = known.get(key);
    if (cost === undefined) {
      cost = costOf({ ...defaults, ...variables });
      known.set(key, cost);
    }
    return cost;
  };
}
