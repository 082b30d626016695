/** Finds the deprecated parts of the schema that a request uses: root fields, their arguments, and input fields in the variables. */
import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import type { Variables, VariableTypes } from './coerce-variables.ts';

/** Adds the deprecated coordinates that a value, not validated yet, contains. */
type Search = (value: unknown, coordinates: Set<string>) => void;

/** Undefined for most operations: neither their root fields nor the types of their variables contain anything deprecated. */
export function createDeprecatedUseFinder(
  schema: GraphQLSchema,
  node: OperationDefinitionNode,
  types: VariableTypes,
): ((variables: Variables) => readonly string[]) | undefined {
  const { always, byVariable } = findRootUses(schema, node);
  const searches = types.flatMap(({ name, type }) => {
    const [argument, search] = [byVariable.get(name), createSearch(type)];
    return argument !== undefined || search ? [{ name, argument, search }] : [];
  });
  if (always.length === 0 && searches.length === 0) return undefined;
  return (variables) => {
    const coordinates = new Set(always);
    for (const { name, argument, search } of searches) {
      const value = variables[name];
      if (value === undefined || value === null) continue;
      if (argument !== undefined) coordinates.add(argument);
      search?.(value, coordinates);
    }
    return [...coordinates];
  };
}

function findRootUses(schema: GraphQLSchema, { operation, selectionSet }: OperationDefinitionNode) {
  const always: string[] = [];
  const byVariable = new Map<string, string>();
  const root = schema.getRootType(operation);
  for (const selection of selectionSet.selections) {
    const field = selection.kind === Kind.FIELD ? root?.getFields()[selection.name.value] : undefined;
    if (selection.kind !== Kind.FIELD || !root || !field) continue;
    if (field.deprecationReason != null) always.push(`${root.name}.${field.name}`);
    for (const { name, value } of selection.arguments ?? []) {
      if (field.args.find((arg) => arg.name === name.value)?.deprecationReason == null) continue;
      const coordinate = `${root.name}.${field.name}.${name.value}`;
      if (value.kind === Kind.VARIABLE) byVariable.set(value.name.value, coordinate);
      else always.push(coordinate);
    }
  }
  return { always, byVariable };
}

/** Undefined: the type contains no deprecated field. */
function createSearch(type: GraphQLInputType): Search | undefined {
  const named = getNamedType(type);
  return isInputObjectType(named) && containsDeprecated(named)
    ? (value, coordinates) => searchValue(named, value, coordinates)
    : undefined;
}

function searchValue(type: GraphQLInputObjectType, value: unknown, coordinates: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) searchValue(type, item, coordinates);
  if (!isPlainObject(value)) return;
  for (const { name, coordinate, inner } of searchedFieldsOf(type)) {
    const fieldValue = Object.hasOwn(value, name) ? value[name] : undefined;
    if (fieldValue === undefined || fieldValue === null) continue;
    if (coordinate !== undefined) coordinates.add(coordinate);
    if (inner) searchValue(inner, fieldValue, coordinates);
  }
}

interface SearchedField {
  name: string;
  /** Undefined: the field is not deprecated. */
  coordinate: string | undefined;
  /** Undefined: its type contains no deprecated field. */
  inner: GraphQLInputObjectType | undefined;
}

const searchedFieldsByType = new WeakMap<GraphQLInputObjectType, readonly SearchedField[]>();

/** Fields that are deprecated, or whose type contains a deprecated field. */
function searchedFieldsOf(type: GraphQLInputObjectType): readonly SearchedField[] {
  let fields = searchedFieldsByType.get(type);
  if (!fields) {
    fields = Object.values(type.getFields()).flatMap(({ name, type: fieldType, deprecationReason }) => {
      const named = getNamedType(fieldType);
      const inner = isInputObjectType(named) && containsDeprecated(named) ? named : undefined;
      const coordinate = deprecationReason == null ? undefined : `${type.name}.${name}`;
      return coordinate !== undefined || inner ? [{ name, coordinate, inner }] : [];
    });
    searchedFieldsByType.set(type, fields);
  }
  return fields;
}

/** Whether the type, or a type nested in it, has a deprecated field. `seen` handles recursive types. */
function containsDeprecated(type: GraphQLInputObjectType, seen = new Set<GraphQLInputObjectType>()): boolean {
  if (seen.has(type)) return false;
  seen.add(type);
  return Object.values(type.getFields()).some(({ type: inner, deprecationReason }) => {
    const named = getNamedType(inner);
    return deprecationReason != null || (isInputObjectType(named) && containsDeprecated(named, seen));
  });
}
