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
import { clientFieldPath } from '../../lib/validation/input.ts';

export type Variables = Readonly<Record<string, unknown>>;

export interface CoercionRules {
  /** GraphQL (true) rejects unknown fields and wraps single values in lists; REST (false) ignores unknown fields and rejects single values. */
  strict: boolean;
}

export interface CoercedVariables {
  /** The valid variables. */
  variables: Record<string, unknown>;
  issues: ErrorDetail[];
}

export type VariableTypes = ReadonlyArray<{
  name: string;
  type: GraphQLInputType;
  hasDefault: boolean;
  defaultValue?: unknown;
}>;

export function declaredVariableTypes(
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
  const state: CoercionState = { issues: [], valueCount: 0 };
  // No prototype: a variable may be named `constructor` or `__proto__`.
  const variables: Record<string, unknown> = Object.create(null);
  for (const { name, type, hasDefault } of types) {
    const raw = Object.hasOwn(values, name) ? values[name] : undefined;
    if (raw === undefined && hasDefault) continue;
    const value = coercerOf(type)(raw, { key: name, parent: undefined }, state, rules);
    if (value !== undefined) variables[name] = value;
  }
  return { variables, issues: state.issues };
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
  /** Number of values in lists and JSON so far. */
  valueCount: number;
}

/** Limits of values in one list, and in all lists and JSON values of a request together, which bound the time to validate them. */
const maxListLength = 5000;
const maxValues = 10_000;
const tooManyValues = `All lists together must have at most ${maxValues} values.`;

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
  const field = clientFieldPath(keysOf(path));
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
    if (rules.strict) return [item(value, path, state, rules)];
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
  if (values.length > maxListLength)
    return addIssue(state, path, 'TOO_LONG', `Must have at most ${maxListLength} items.`);
  if (state.valueCount > maxValues) return addIssue(state, path, 'TOO_LONG', tooManyValues);
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
    if (rules.strict) {
      for (const key in source) {
        if (isErrorDetailLimitReached(state.issues)) break;
        if (!Object.hasOwn(declared, key))
          addIssue(state, { key, parent: path }, 'UNKNOWN_FIELD', `${type.name} has no such field.`);
      }
    }
    return result;
  };
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
  (value, path, state) => {
    if (value === null || value === undefined) return value;
    const problem = findTextProblem(value, 0, state);
    if (problem)
      return addIssue(state, path, problem === tooManyValues ? 'TOO_LONG' : 'INVALID_TEXT', problem);
    try {
      type.parseValue(value);
      return value;
    } catch (error) {
      if (!isEnumType(type))
        return addIssue(state, path, 'INVALID_TYPE', scalarMessage(error, `Must be ${article(type.name)}.`));
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
const article = (name: string) => builtIn[name] ?? `a valid ${name}`;

/** Messages of the custom scalars ("Must be …") are written for clients; those of graphql's built-in scalars are not. */
const scalarMessage = (error: unknown, fallback: string) =>
  error instanceof Error && error.message.startsWith('Must be') ? error.message : fallback;

const maxDepth = 32;

/** Finds text that PostgreSQL rejects, prototype pollution and excessive depth anywhere in a JSON value. */
function findTextProblem(value: unknown, depth: number, state: CoercionState): string | undefined {
  if (typeof value === 'string') {
    return value.includes('\0') || !value.isWellFormed()
      ? 'Must not contain NUL or unpaired surrogates.'
      : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === maxDepth) return `Must not be nested deeper than ${maxDepth} levels.`;
  const entries = Object.entries(value);
  state.valueCount += entries.length;
  if (state.valueCount > maxValues) return tooManyValues;
  for (const [key, inner] of entries) {
    if (key === '__proto__') return 'Must not contain the key __proto__.';
    const problem = findTextProblem(key, depth, state) ?? findTextProblem(inner, depth + 1, state);
    if (problem) return problem;
  }
  return undefined;
}
