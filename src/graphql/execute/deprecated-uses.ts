/** What an operation uses that is on its way out: fields and arguments of its root, and fields of what it is sent. */
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

/** Adds the coordinates that a value, in whatever shape it was sent, makes use of. */
type Look = (value: unknown, found: Set<string>) => void;

const none: readonly string[] = [];

/** Looks only where there is something to find: for most operations that is nowhere. */
export function createDeprecatedUseFinder(
  schema: GraphQLSchema,
  node: OperationDefinitionNode,
  types: VariableTypes,
): (variables: Variables) => readonly string[] {
  const { always, byVariable } = rootUses(schema, node);
  const looks = types.flatMap(({ name, type }) => {
    const [argument, inside] = [byVariable.get(name), lookInto(type)];
    return argument !== undefined || inside ? [{ name, argument, inside }] : [];
  });
  if (always.length === 0 && looks.length === 0) return () => none;
  return (variables) => {
    const found = new Set(always);
    for (const { name, argument, inside } of looks) {
      const value = variables[name];
      if (value === undefined || value === null) continue;
      if (argument !== undefined) found.add(argument);
      inside?.(value, found);
    }
    return [...found];
  };
}

function rootUses(schema: GraphQLSchema, { operation, selectionSet }: OperationDefinitionNode) {
  const always: string[] = [];
  const byVariable = new Map<string, string>();
  const root = schema.getRootType(operation);
  for (const selection of selectionSet.selections) {
    const field = selection.kind === Kind.FIELD ? root?.getFields()[selection.name.value] : undefined;
    if (selection.kind !== Kind.FIELD || !root || !field) continue;
    if (field.deprecationReason != null) always.push(`${root.name}.${field.name}`);
    for (const { name, value } of selection.arguments ?? []) {
      if (field.args.find((one) => one.name === name.value)?.deprecationReason == null) continue;
      const coordinate = `${root.name}.${field.name}.${name.value}`;
      if (value.kind === Kind.VARIABLE) byVariable.set(value.name.value, coordinate);
      else always.push(coordinate);
    }
  }
  return { always, byVariable };
}

/** Undefined: nothing in this type is on its way out. */
function lookInto(type: GraphQLInputType): Look | undefined {
  const named = getNamedType(type);
  return isInputObjectType(named) && reaches(named) ? (value, found) => look(named, value, found) : undefined;
}

function look(type: GraphQLInputObjectType, value: unknown, found: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) look(type, item, found);
  if (!isPlainObject(value)) return;
  for (const { name, type: inner, deprecationReason } of Object.values(type.getFields())) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    if (given === undefined || given === null) continue;
    if (deprecationReason != null) found.add(`${type.name}.${name}`);
    const named = getNamedType(inner);
    if (isInputObjectType(named)) look(named, given, found);
  }
}

/** Types may contain themselves. */
function reaches(type: GraphQLInputObjectType, seen = new Set<GraphQLInputObjectType>()): boolean {
  if (seen.has(type)) return false;
  seen.add(type);
  return Object.values(type.getFields()).some(({ type: inner, deprecationReason }) => {
    const named = getNamedType(inner);
    return deprecationReason != null || (isInputObjectType(named) && reaches(named, seen));
  });
}
