/** Checks variables against their declared types before execution and names every fault by its wire path. */

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
import { type ErrorDetail, hasEnoughDetails } from '../../errors.ts';
import { clientFieldPath } from '../../lib/validation/input.ts';

export type Variables = Readonly<Record<string, unknown>>;

export interface CoercionRules {
  /** GraphQL refuses unknown fields and wraps single values into lists; REST ignores the former, refuses the latter. */
  strict: boolean;
}

export interface CoercedVariables {
  /** The variables without what was wrong with them. */
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
  const faults: Faults = { issues: [], values: 0 };
  // Without a prototype: a variable may be called `constructor` or `__proto__`.
  const variables: Record<string, unknown> = Object.create(null);
  for (const { name, type, hasDefault } of types) {
    const sent = Object.hasOwn(values, name) ? values[name] : undefined;
    if (sent === undefined && hasDefault) continue;
    const value = coercerOf(type)(sent, { key: name, inside: undefined }, faults, rules);
    if (value !== undefined) variables[name] = value;
  }
  return { variables, issues: faults.issues };
}

/** Where a value stands, linked from the inside out: it is turned into a list of keys only for faults. */
interface Path {
  key: string | number;
  inside: Path | undefined;
}

function keysOf(path: Path): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at: Path | undefined = path; at; at = at.inside) keys.unshift(at.key);
  return keys;
}

interface Faults {
  readonly issues: ErrorDetail[];
  /** Values in lists and JSON so far. */
  values: number;
}

/** One list, and all lists of a request together, may have so many values: what works on them stays quick. */
const maxListLength = 5000;
const maxValues = 10_000;

type Coercer = (value: unknown, path: Path, faults: Faults, rules: CoercionRules) => unknown;

/** Coercers are made once per type: requests only call them. */
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

function refuse({ issues }: Faults, path: Path, error: DetailCode, message: string): undefined {
  if (!hasEnoughDetails(issues)) issues.push({ field: clientFieldPath(keysOf(path)), error, message });
}

const required =
  (inner: Coercer): Coercer =>
  (value, path, faults, rules) =>
    value === null || value === undefined
      ? refuse(faults, path, 'REQUIRED', 'This field is required.')
      : inner(value, path, faults, rules);

const list =
  (item: Coercer): Coercer =>
  (value, path, faults, rules) => {
    if (value === null || value === undefined) return value;
    if (Array.isArray(value)) return listOf(item, value, path, faults, rules);
    if (rules.strict) return [item(value, path, faults, rules)];
    return refuse(faults, path, 'INVALID_TYPE', 'Must be a list.');
  };

function listOf(
  item: Coercer,
  values: readonly unknown[],
  path: Path,
  faults: Faults,
  rules: CoercionRules,
): unknown {
  faults.values += values.length;
  if (values.length > maxListLength)
    return refuse(faults, path, 'TOO_LONG', `Must have at most ${maxListLength} items.`);
  if (faults.values > maxValues) return refuse(faults, path, 'TOO_LONG', tooManyValues);
  const coerced: unknown[] = [];
  for (const [index, value] of values.entries()) {
    if (hasEnoughDetails(faults.issues)) break;
    coerced.push(item(value, { key: index, inside: path }, faults, rules));
  }
  return coerced;
}

const tooManyValues = `All lists together must have at most ${maxValues} values.`;

function inputObject(type: GraphQLInputObjectType): Coercer {
  const known = type.getFields();
  // Input types may contain themselves, so the fields' coercers are made with the first value.
  let fields: { name: string; hasDefault: boolean; coerce: Coercer }[] | undefined;
  return (value, path, faults, rules) => {
    if (value === null || value === undefined) return value;
    if (typeof value !== 'object' || Array.isArray(value))
      return refuse(faults, path, 'INVALID_TYPE', 'Must be an object.');
    fields ??= Object.values(known).map((field) => ({
      name: field.name,
      hasDefault: field.defaultValue !== undefined,
      coerce: coercerOf(field.type),
    }));
    const source = value as Record<string, unknown>;
    const result: Record<string, unknown> = {};
    for (const { name, hasDefault, coerce } of fields) {
      const inner = Object.hasOwn(source, name) ? source[name] : undefined;
      if (inner === undefined && hasDefault) continue;
      const coerced = coerce(inner, { key: name, inside: path }, faults, rules);
      if (coerced !== undefined) result[name] = coerced;
    }
    if (type.isOneOf && !hasOne(known, source))
      refuse(faults, path, 'INVALID_VALUE', `Must have exactly one of ${Object.keys(known).join(', ')}.`);
    if (rules.strict) {
      for (const key in source) {
        if (hasEnoughDetails(faults.issues)) break;
        if (!Object.hasOwn(known, key))
          refuse(faults, { key, inside: path }, 'UNKNOWN_FIELD', `${type.name} has no such field.`);
      }
    }
    return result;
  };
}

/** One field, and it has a value. What the type does not know is no field of it, in either voice. */
function hasOne(known: object, source: Record<string, unknown>): boolean {
  const given = Object.keys(known)
    .map((name) => (Object.hasOwn(source, name) ? source[name] : undefined))
    .filter((value) => value !== undefined);
  return given.length === 1 && given[0] !== null;
}

const leaf =
  (type: GraphQLLeafType): Coercer =>
  (value, path, faults) => {
    if (value === null || value === undefined) return value;
    const fault = textFault(value, 0, faults);
    if (fault) return refuse(faults, path, fault === tooManyValues ? 'TOO_LONG' : 'INVALID_TEXT', fault);
    try {
      type.parseValue(value);
      return value;
    } catch (error) {
      if (!isEnumType(type))
        return refuse(faults, path, 'INVALID_TYPE', own(error, `Must be ${article(type.name)}.`));
      const names = type.getValues().map((item) => item.name);
      return refuse(
        faults,
        path,
        typeof value === 'string' ? 'INVALID_VALUE' : 'INVALID_TYPE',
        `Must be one of ${names.join(', ')}.`,
      );
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

/** Messages of our own scalars are fit for callers ("Must be …"); those of graphql's built-in ones are not. */
const own = (error: unknown, fallback: string) =>
  error instanceof Error && error.message.startsWith('Must be') ? error.message : fallback;

const maxDepth = 32;

/** What PostgreSQL would refuse inside a string, or what would poison an object, anywhere in a JSON value. */
function textFault(value: unknown, depth: number, faults: Faults): string | undefined {
  if (typeof value === 'string') {
    return value.includes('\0') || !value.isWellFormed()
      ? 'Must not contain NUL or unpaired surrogates.'
      : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === maxDepth) return `Must not be nested deeper than ${maxDepth} levels.`;
  const entries = Object.entries(value);
  faults.values += entries.length;
  if (faults.values > maxValues) return tooManyValues;
  for (const [key, inner] of entries) {
    if (key === '__proto__') return 'Must not contain the key __proto__.';
    const fault = textFault(key, depth, faults) ?? textFault(inner, depth + 1, faults);
    if (fault) return fault;
  }
  return undefined;
}
