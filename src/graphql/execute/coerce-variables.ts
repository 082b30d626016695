/** Validates variables against their declared types before execution and reports every error with its input path. */
import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  valueFromAST,
} from 'graphql';
import type { DetailCode } from '../../detail-codes.ts';
import { type ErrorDetail, isErrorDetailLimitReached } from '../../errors.ts';
import {
  findJsonProblem,
  maxJsonValues,
  maxListLength,
  tooLongListMessage,
  tooManyValuesMessage,
} from '../../lib/json/json-limits.ts';
import { toClientFieldPath } from '../../lib/validation/input.ts';
import { unknownFieldMessage } from '../../lib/validation/unknown-field.ts';

export type Variables = Readonly<Record<string, unknown>>;

export interface CoercionRules {
  /** Whether a single value for a list is wrapped in a list and a number is a valid id, as in GraphQL; or both are errors. */
  convertsInput: boolean;
  /** Whether unknown fields are errors, or ignored and listed. */
  rejectsUnknownFields: boolean;
}

export const graphqlCoercionRules: CoercionRules = { convertsInput: true, rejectsUnknownFields: true };
/** Rules of REST; `lenientCoercionRules` apply to API versions that ignore unknown fields. */
export const strictCoercionRules: CoercionRules = { convertsInput: false, rejectsUnknownFields: true };
export const lenientCoercionRules: CoercionRules = { convertsInput: false, rejectsUnknownFields: false };

interface CoercedVariables {
  /** The valid variables. */
  variables: Record<string, unknown>;
  issues: ErrorDetail[];
  /** Paths of the first unknown fields that were ignored. */
  ignoredFields: readonly string[];
}

export type VariableTypes = ReadonlyArray<{
  name: string;
  type: GraphQLInputType;
  hasDefault: boolean;
  defaultValue?: unknown;
}>;

export function getDeclaredVariableTypes(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): VariableTypes {
  return (operation.variableDefinitions ?? []).map(({ variable, type: node, defaultValue }) => {
    const type = typeFromAST(schema, node) as GraphQLInputType;
    return {
      name: variable.name.value,
      type,
      hasDefault: defaultValue !== undefined,
      defaultValue: valueFromAST(defaultValue, type),
    };
  });
}

export function coerceVariables(
  types: VariableTypes,
  values: Readonly<Record<string, unknown>>,
  rules: CoercionRules,
): CoercedVariables {
  const state: CoercionState = { issues: [], ignoredFields: [], valueCount: 0 };
  // No prototype: a variable may be named `constructor` or `__proto__`.
  const variables: Record<string, unknown> = Object.create(null);
  for (const { name, type, hasDefault } of types) {
    const raw = Object.hasOwn(values, name) ? values[name] : undefined;
    if (raw === undefined && hasDefault) continue;
    const value = coercerOf(type)(raw, { key: name, parent: undefined }, state, rules);
    if (value !== undefined) variables[name] = value;
  }
  return { variables, issues: state.issues, ignoredFields: state.ignoredFields };
}

/** Path of a value, linked from the inside out. PERF: converted to a list of keys only for errors. */
interface Path {
  key: string | number;
  parent: Path | undefined;
}

function keysOf(path: Path): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let step: Path | undefined = path; step; step = step.parent) keys.unshift(step.key);
  return keys;
}

interface CoercionState {
  readonly issues: ErrorDetail[];
  readonly ignoredFields: string[];
  /** Number of values in lists and JSON so far. */
  valueCount: number;
}

type Coercer = (value: unknown, path: Path, state: CoercionState, rules: CoercionRules) => unknown;

/** PERF: one coercer per type, created on first use. */
const coercers = new WeakMap<GraphQLInputType, Coercer>();

function coercerOf(type: GraphQLInputType): Coercer {
  let coercer = coercers.get(type);
  if (!coercer) {
    coercer = createCoercer(type);
    coercers.set(type, coercer);
  }
  return coercer;
}

function createCoercer(type: GraphQLInputType): Coercer {
  if (isNonNullType(type)) return required(coercerOf(type.ofType));
  if (isListType(type)) return list(coercerOf(type.ofType));
  if (isInputObjectType(type)) return inputObject(type);
  return leaf(type as GraphQLLeafType);
}

function addIssue({ issues }: CoercionState, path: Path, error: DetailCode, message: string): undefined {
  const field = toClientFieldPath(keysOf(path));
  if (!isErrorDetailLimitReached(issues)) issues.push({ field, error, message });
}

const required =
  (inner: Coercer): Coercer =>
  (value, path, state, rules) =>
    value === null || value === undefined
      ? addIssue(state, path, 'REQUIRED', 'This field is required.')
      : inner(value, path, state, rules);

const list =
  (item: Coercer): Coercer =>
  (value, path, state, rules) => {
    if (value === null || value === undefined) return value;
    if (Array.isArray(value)) return listOf(item, value, path, state, rules);
    if (rules.convertsInput) return [item(value, path, state, rules)];
    return addIssue(state, path, 'INVALID_TYPE', 'Must be a list.');
  };

function listOf(
  item: Coercer,
  values: readonly unknown[],
  path: Path,
  state: CoercionState,
  rules: CoercionRules,
): unknown {
  state.valueCount += values.length;
  if (values.length > maxListLength) return addIssue(state, path, 'TOO_LONG', tooLongListMessage);
  if (state.valueCount > maxJsonValues) return addIssue(state, path, 'TOO_LONG', tooManyValuesMessage);
  const coerced: unknown[] = [];
  for (const [index, value] of values.entries()) {
    if (isErrorDetailLimitReached(state.issues)) break;
    coerced.push(item(value, { key: index, parent: path }, state, rules));
  }
  return coerced;
}

function inputObject(type: GraphQLInputObjectType): Coercer {
  const declared = type.getFields();
  // Created with the first value, because input types may be recursive.
  let fields: { name: string; hasDefault: boolean; coerce: Coercer }[] | undefined;
  return (value, path, state, rules) => {
    if (value === null || value === undefined) return value;
    if (typeof value !== 'object' || Array.isArray(value))
      return addIssue(state, path, 'INVALID_TYPE', 'Must be an object.');
    fields ??= Object.values(declared).map((field) => ({
      name: field.name,
      hasDefault: field.defaultValue !== undefined,
      coerce: coercerOf(field.type),
    }));
    const source = value as Record<string, unknown>;
    const result: Record<string, unknown> = {};
    for (const { name, hasDefault, coerce } of fields) {
      const inner = Object.hasOwn(source, name) ? source[name] : undefined;
      if (inner === undefined && hasDefault) continue;
      const coerced = coerce(inner, { key: name, parent: path }, state, rules);
      if (coerced !== undefined) result[name] = coerced;
    }
    if (type.isOneOf && !hasExactlyOne(declared, source))
      addIssue(state, path, 'INVALID_VALUE', `Must have exactly one of ${Object.keys(declared).join(', ')}.`);
    for (const key in source)
      if (!Object.hasOwn(declared, key))
        addUnknownField(state, { key, parent: path }, Object.keys(declared), rules);
    return result;
  };
}

const maxIgnoredFields = 20;

function addUnknownField(
  state: CoercionState,
  path: Path,
  declared: readonly string[],
  { rejectsUnknownFields }: CoercionRules,
): void {
  if (rejectsUnknownFields) {
    addIssue(state, path, 'UNKNOWN_FIELD', unknownFieldMessage(path.key, declared, state.issues.length));
  } else if (state.ignoredFields.length < maxIgnoredFields)
    state.ignoredFields.push(toClientFieldPath(keysOf(path)));
}

/** Whether exactly one declared field is set, and not to null. Unknown fields do not count, for GraphQL and REST. */
function hasExactlyOne(declared: object, source: Record<string, unknown>): boolean {
  const values = Object.keys(declared)
    .map((name) => (Object.hasOwn(source, name) ? source[name] : undefined))
    .filter((value) => value !== undefined);
  return values.length === 1 && values[0] !== null;
}

const leaf =
  (type: GraphQLLeafType): Coercer =>
  (value, path, state, { convertsInput }) => {
    if (value === null || value === undefined) return value;
    const problem = findJsonProblem(value, state);
    if (problem)
      return addIssue(state, path, problem === tooManyValuesMessage ? 'TOO_LONG' : 'INVALID_TEXT', problem);
    try {
      if (type.name === 'ID' && typeof value === 'number' && !convertsInput) throw new TypeError();
      type.parseValue(value);
      return value;
    } catch (error) {
      if (!isEnumType(type))
        return addIssue(state, path, 'INVALID_TYPE', scalarMessage(error as Error, type.name));
      const names = type.getValues().map((item) => item.name);
      const code = typeof value === 'string' ? 'INVALID_VALUE' : 'INVALID_TYPE';
      return addIssue(state, path, code, `Must be one of ${names.join(', ')}.`);
    }
  };

const builtIn: Record<string, string> = {
  String: 'a string',
  ID: 'a string',
  Int: 'a 32-bit integer',
  Float: 'a number',
  Boolean: 'true or false',
};

/** Messages of the custom scalars ("Must be …") are written for clients; those of graphql's built-in scalars are not. */
const scalarMessage = ({ message }: Error, typeName: string) =>
  message.startsWith('Must be') ? message : `Must be ${builtIn[typeName] ?? `a valid ${typeName}`}.`;
