/** Compiles a route to two functions: from the request to the variables of its operation, and from the data to the response body. */
import { type GraphQLInputType, getNullableType, isInputObjectType } from 'graphql';
import type { ErrorDetail } from '../errors.ts';
import type { VariableTypes } from '../graphql/execute/coerce-variables.ts';
import { unknownFieldMessage } from '../lib/validation/unknown-field.ts';
import { parseIfMatchVersions } from './etag.ts';
import { listUnknownQueryParams, queryParamKindOf, setVariablesFromQueryParams } from './query-params.ts';
import type { ResponseMapping, RestRoute } from './route.ts';

type Variables = Record<string, unknown>;

/** Parsed request of a route. */
interface ParsedRouteRequest {
  /** Path parameters. PERF: this object is extended in place and becomes the variables. */
  path: Variables;
  query: string;
  /** The parsed JSON body; an empty object if there is none. */
  body: Readonly<Variables>;
  ifMatch: string | undefined;
}

export interface CompiledRouteMapping {
  variables(input: ParsedRouteRequest): Variables;
  /** Errors of query parameters and body fields that are no part of any variable. If `$input` is the body, its fields are coerced. */
  unknownFields(input: Pick<ParsedRouteRequest, 'query' | 'body'>): ErrorDetail[];
  /** Body of the response; undefined or null if the record does not exist. */
  responseBody(data: unknown): unknown;
}

export const compileRouteMapping = (route: RestRoute, types: VariableTypes): CompiledRouteMapping => ({
  variables: compileVariables(route, types),
  unknownFields: compileUnknownFields(route, types),
  responseBody: compileResponse(route.response),
});

/** Sets variables from one part of the request. */
type VariableSetter = (variables: Variables, input: ParsedRouteRequest) => void;

function compileVariables(route: RestRoute, types: VariableTypes): CompiledRouteMapping['variables'] {
  const setters = [...bodySetters(route, types), ...querySetters(route, types)];
  if (types.some(({ name }) => name === 'version'))
    setters.push((variables, { ifMatch }) => {
      [variables.version] = parseIfMatchVersions(ifMatch);
    });
  return (input) => {
    const variables = input.path;
    for (const set of setters) set(variables, input);
    return variables;
  };
}

function bodySetters(route: RestRoute, types: VariableTypes): VariableSetter[] {
  const setters: VariableSetter[] = [];
  if (types.some(({ name }) => name === 'input')) {
    const toInput = compileInput(route, types.find(({ name }) => name === 'input')?.type);
    setters.push((variables, { body }) => {
      variables.input = toInput(body);
    });
  }
  if (route.bodyFields.length > 0)
    setters.push((variables, { body }) => {
      for (const field of route.bodyFields) variables[field] = body[field];
    });
  return setters;
}

function querySetters(route: RestRoute, types: VariableTypes): VariableSetter[] {
  const params = Object.entries(route.query).map(([name, variable]) => {
    const [variableName = '', field] = variable.split('.');
    const declared = types.find((declaration) => declaration.name === variableName)?.type;
    const type = field === undefined ? declared : fieldType(declared, field);
    if (!type)
      throw new Error(
        `${route.method} ${route.path}: the operation has no $${variable} for the query parameter ${name}.`,
      );
    return { name, variable: variableName, field, kind: queryParamKindOf(type) };
  });
  return params.length > 0
    ? [(variables, { query }) => setVariablesFromQueryParams(query, params, variables)]
    : [];
}

function fieldType(type: GraphQLInputType | undefined, field: string): GraphQLInputType | undefined {
  const input = getNullableType(type);
  return isInputObjectType(input) ? input.getFields()[field]?.type : undefined;
}

function compileInput(
  { inputAliases, ignoredFields, bodyFields }: RestRoute,
  inputType: GraphQLInputType | undefined,
): (body: Readonly<Variables>) => Readonly<Variables> {
  const aliases = Object.entries(inputAliases);
  const type = getNullableType(inputType);
  const declared = isInputObjectType(type) ? type.getFields() : {};
  const otherFields = [...ignoredFields, ...bodyFields.filter((field) => !Object.hasOwn(declared, field))];
  if (aliases.length === 0 && otherFields.length === 0) return (body) => body;
  return (body) => {
    const input = { ...body };
    for (const [old, field] of aliases) {
      if (!Object.hasOwn(input, old)) continue;
      input[field] ??= input[old];
      delete input[old];
    }
    for (const field of otherFields) delete input[field];
    return input;
  };
}

function compileUnknownFields(
  { method, query: params, bodyFields, ignoredFields }: RestRoute,
  types: VariableTypes,
): CompiledRouteMapping['unknownFields'] {
  const hasInput = types.some(({ name }) => name === 'input');
  const knownFields = new Set([...bodyFields, ...ignoredFields]);
  const paramNames = [...Object.keys(params), ...(method === 'GET' ? ['fields'] : [])];
  const toErrors = (names: string[], kind: string, declared: readonly string[]): ErrorDetail[] =>
    names.map((field, index) => ({
      field,
      error: 'UNKNOWN_FIELD',
      message: unknownFieldMessage(field, declared, index, kind),
    }));
  return ({ query, body }) => [
    ...toErrors(listUnknownQueryParams(query, paramNames), 'parameter', paramNames),
    ...toErrors(
      hasInput ? [] : Object.keys(body).filter((field) => !knownFields.has(field)),
      'field',
      bodyFields,
    ),
  ];
}

interface Connection {
  nodes: unknown[];
  pageInfo: { hasNextPage: boolean; endCursor?: string | null };
}

function compileResponse(mapping: ResponseMapping): CompiledRouteMapping['responseBody'] {
  if ('success' in mapping) return () => ({ success: true });
  if ('list' in mapping) {
    const connectionOf = createReader(mapping.list);
    return (data) => {
      const connection = connectionOf(data) as Connection | undefined;
      // The record whose list it is does not exist.
      if (!connection) return undefined;
      const { nodes, pageInfo } = connection;
      return { items: nodes, cursor: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null };
    };
  }
  if ('value' in mapping) {
    const read = createReader(mapping.value);
    return (data) => {
      const value = read(data);
      return value === null || value === undefined ? undefined : { [mapping.as]: value };
    };
  }
  const recordOf = createReader(mapping.at);
  if (!mapping.fallback) return recordOf;
  const fallback = Object.entries(mapping.fallback).map(([name, at]) => [name, createReader(at)] as const);
  return (data) => recordOf(data) ?? Object.fromEntries(fallback.map(([name, read]) => [name, read(data)]));
}

/** `updateProduct.product` reads the product of that payload. */
function createReader(path: string): (data: unknown) => unknown {
  const [root = '', field] = path.split('.');
  const rootOf = (data: unknown) => (data as Variables)[root];
  return field === undefined ? rootOf : (data) => (rootOf(data) as Variables | null)?.[field];
}
