/** Checks variables against their declared types before execution and names every fault by its wire path. */
import {
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import type { ErrorDetail } from '../errors.ts';
import { wirePath } from '../lib/input.ts';

export interface CoercionRules {
  /** GraphQL refuses unknown fields and wraps single values into lists; REST ignores the former, refuses the latter. */
  strict: boolean;
}

export interface Coerced {
  /** The variables without what was wrong with them. */
  variables: Record<string, unknown>;
  issues: ErrorDetail[];
}

export type VariableTypes = ReadonlyArray<{ name: string; type: GraphQLInputType; hasDefault: boolean }>;

export function variableTypes(schema: GraphQLSchema, operation: OperationDefinitionNode): VariableTypes {
  return (operation.variableDefinitions ?? []).map((definition) => ({
    name: definition.variable.name.value,
    type: typeFromAST(schema, definition.type) as GraphQLInputType,
    hasDefault: definition.defaultValue !== undefined,
  }));
}

export function coerceVariables(
  types: VariableTypes,
  values: Readonly<Record<string, unknown>>,
  rules: CoercionRules,
): Coerced {
  const issues: ErrorDetail[] = [];
  const variables: Record<string, unknown> = {};
  for (const { name, type, hasDefault } of types) {
    if (values[name] === undefined && hasDefault) continue;
    const value = coerce(values[name], type, { key: name, inside: undefined }, issues, rules);
    if (value !== undefined) variables[name] = value;
  }
  return { variables, issues };
}

/** Where a value stands, from the inside out: written down as a list only for what is wrong. */
interface Path {
  key: string | number;
  inside: Path | undefined;
}

function keysOf(path: Path): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at: Path | undefined = path; at; at = at.inside) keys.unshift(at.key);
  return keys;
}

function coerce(
  value: unknown,
  type: GraphQLInputType,
  path: Path,
  issues: ErrorDetail[],
  rules: CoercionRules,
): unknown {
  const refuse = (error: string, message: string) => {
    issues.push({ field: wirePath(keysOf(path)), error, message });
    return undefined;
  };
  if (isNonNullType(type)) {
    if (value === null || value === undefined) return refuse('REQUIRED', 'This field is required.');
    return coerce(value, type.ofType, path, issues, rules);
  }
  if (value === null || value === undefined) return value;
  if (isListType(type)) {
    if (Array.isArray(value))
      return value.map((item, index) =>
        coerce(item, type.ofType, { key: index, inside: path }, issues, rules),
      );
    if (rules.strict) return [coerce(value, type.ofType, path, issues, rules)];
    return refuse('INVALID_TYPE', 'Must be a list.');
  }
  if (isInputObjectType(type)) {
    if (typeof value !== 'object' || Array.isArray(value))
      return refuse('INVALID_TYPE', 'Must be an object.');
    const fields = type.getFields();
    const source = value as Record<string, unknown>;
    const result: Record<string, unknown> = {};
    for (const name in fields) {
      const field = fields[name];
      if (!field || (source[name] === undefined && field.defaultValue !== undefined)) continue;
      const inner = Object.hasOwn(source, name) ? source[name] : undefined;
      const coerced = coerce(inner, field.type, { key: name, inside: path }, issues, rules);
      if (coerced !== undefined) result[name] = coerced;
    }
    if (rules.strict) {
      for (const key of Object.keys(source)) {
        if (!Object.hasOwn(fields, key)) {
          issues.push({
            field: wirePath([...keysOf(path), key]),
            error: 'UNKNOWN_FIELD',
            message: `${type.name} has no such field.`,
          });
        }
      }
    }
    return result;
  }
  if (!isLeafType(type)) return refuse('INVALID_TYPE', 'Not an input type.');
  const fault = textFault(value, 0);
  if (fault) return refuse('INVALID_TEXT', fault);
  try {
    type.parseValue(value);
    return value;
  } catch (error) {
    const isEnum = 'getValues' in type;
    const message = isEnum
      ? `Must be one of ${type
          .getValues()
          .map((item) => item.name)
          .join(', ')}.`
      : `Must be ${article(type.name)}.`;
    return refuse(
      isEnum && typeof value === 'string' ? 'INVALID_VALUE' : 'INVALID_TYPE',
      isEnum ? message : own(error, message),
    );
  }
}

const builtIn: Record<string, string> = {
  String: 'a string',
  ID: 'a string',
  Int: 'a 32-bit integer',
  Float: 'a number',
  Boolean: 'true or false',
};
const article = (name: string) => builtIn[name] ?? `a valid ${name}`;

/** Our own scalars say what they want; graphql's built-in ones speak of themselves. */
const own = (error: unknown, fallback: string) =>
  error instanceof Error && error.message.startsWith('Must be') ? error.message : fallback;

const maxDepth = 32;

/** What PostgreSQL would refuse inside a string, or what would poison an object, anywhere in a JSON value. */
function textFault(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') {
    return value.includes('\0') || !value.isWellFormed()
      ? 'Must not contain NUL or unpaired surrogates.'
      : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === maxDepth) return `Must not be nested deeper than ${maxDepth} levels.`;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') return 'Must not contain the key __proto__.';
    const fault = textFault(key, depth) ?? textFault(inner, depth + 1);
    if (fault) return fault;
  }
  return undefined;
}
