/** Estimates the cost of an operation: about the number of values in its response, given the requested page sizes. */
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
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { getPothosFieldOptions } from '../../vendor/pothos/field-extensions.ts';
import type { Variables, VariableTypes } from '../execute/coerce-variables.ts';
import {
  isIncrementalDirective,
  isIncrementalDirectiveSwitchedOff,
} from '../execute/incremental/defer-and-stream-directives.ts';
import { graphqlBadRequestError } from '../execute/request-errors.ts';
import { computeIntrospectionCost } from './introspection-cost.ts';

interface QueryCost {
  readonly cost: number;
  /** Parts into which @defer and @stream divide the response. */
  readonly parts: number;
}

type CostEstimator = (variables: Variables) => QueryCost;

/** Only for documents that are within the size limits: fragments are walked for every spread. */
export function createQueryCostEstimator(
  schema: GraphQLSchema,
  document: DocumentNode,
  node: OperationDefinitionNode,
  types: VariableTypes,
): CostEstimator {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const introspection = computeIntrospectionCost(schema);

  function costOfField(
    node: FieldNode,
    type: GraphQLNamedType,
    parentPath: string,
    variables: Variables,
  ): QueryCost {
    const name = node.name.value;
    const field = fieldOf(schema, type, name);
    const { fieldCost, multiplier } = isIntrospectionType(type)
      ? {
          fieldCost: introspection.perValue,
          multiplier: introspection.multiplier(type.name, name, parentPath),
        }
      : complexityOf(field, node, variables);
    const streamedItems = isIncremental(node) ? Math.max(multiplier, 1) : 0;
    if (!field || !node.selectionSet) return { cost: fieldCost, parts: streamedItems };
    const inner = costOfSelections(
      node.selectionSet,
      getNamedType(field.type),
      `${parentPath}/${name}`,
      variables,
    );
    return { cost: fieldCost + multiplier * inner.cost, parts: streamedItems + multiplier * inner.parts };
  }

  function costOfSelections(
    { selections }: SelectionSetNode,
    type: GraphQLNamedType,
    parentPath: string,
    variables: Variables,
  ): QueryCost {
    let cost = 0;
    let parts = 0;
    const add = (inner: QueryCost) => {
      cost += inner.cost;
      parts += inner.parts;
    };
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        add(costOfField(selection, type, parentPath, variables));
        continue;
      }
      if (isIncremental(selection)) parts += 1;
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      if (!fragment) continue;
      const condition = fragment.typeCondition && schema.getType(fragment.typeCondition.name.value);
      add(costOfSelections(fragment.selectionSet, condition ?? type, parentPath, variables));
    }
    return { cost, parts };
  }

  const root = schema.getRootType(node.operation);
  return cacheBySizes(types, (variables) => {
    if (!root) return { cost: 0, parts: 0 };
    const { cost, parts } = costOfSelections(node.selectionSet, root, '', variables);
    return { cost: Math.ceil(cost + parts * partCost), parts: Math.ceil(parts) };
  });
}

/** Cost of the path, the label and the message of a part. */
const partCost = 5;

const isIncremental = ({ directives = [] }: SelectionNode): boolean =>
  directives.some(
    (directive) => isIncrementalDirective(directive) && !isIncrementalDirectiveSwitchedOff(directive),
  );

function fieldOf(schema: GraphQLSchema, type: GraphQLNamedType, name: string) {
  if (type === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  }
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
}

/** Size of a list without page arguments that the estimate assumes. */
const defaultListMultiplier = 3;

function declaredComplexity(field: GraphQLField<unknown, unknown>): FieldComplexity<object, object> {
  const options = getPothosFieldOptions(field);
  const defaultComplexity = options && isListType(getNullableType(field.type)) ? defaultList : 1;
  return (options?.complexity as FieldComplexity<object, object> | undefined) ?? defaultComplexity;
}

const defaultList = { field: 1, multiplier: defaultListMultiplier };

/** Cost of the field itself, and the multiplier of the cost of its selection. */
function complexityOf(
  field: GraphQLField<unknown, unknown> | undefined,
  node: FieldNode,
  variables: Variables,
): { fieldCost: number; multiplier: number } {
  let complexity = field && declaredComplexity(field);
  if (typeof complexity === 'function' && field)
    complexity = complexity(getArgumentValues(field, node, variables), {}, field as never);
  if (typeof complexity === 'number') return { fieldCost: complexity, multiplier: 1 };
  const { field: fieldCost = 1, multiplier = 1 } = typeof complexity === 'object' ? complexity : {};
  return { fieldCost, multiplier: Math.max(multiplier, 0) };
}

const sizeOf = (value: unknown) => (Array.isArray(value) ? value.length : value);

/** PERF: the cost depends only on page sizes and list lengths, so it is cached per combination of them. */
function cacheBySizes(types: VariableTypes, estimate: CostEstimator): CostEstimator {
  const sizeVariables = types.filter(({ type }) => {
    const inner = getNullableType(type);
    return inner === GraphQLInt || isListType(inner);
  });
  const defaults = Object.fromEntries(
    types.filter(({ hasDefault }) => hasDefault).map(({ name, defaultValue }) => [name, defaultValue]),
  );
  const costs = new LRUCache<string, QueryCost>({ max: 50 });
  return (variables) => {
    // Null differs from absent: only an absent variable gets its default.
    const key = sizeVariables
      .map(({ name }) => (name in variables ? sizeOf(variables[name]) : 'absent'))
      .join();
    let cost = costs.get(key);
    if (cost === undefined) {
      cost = estimate({ ...defaults, ...variables });
      costs.set(key, cost);
    }
    return cost;
  };
}

/** Undefined if the value is within the limit. */
export const queryLimitError = (value: number, limit: number, property: string) =>
  value > limit
    ? graphqlBadRequestError(
        `The query is too ${property} (${value}, at most ${limit}). Request fewer fields or smaller pages.`,
      )
    : undefined;
