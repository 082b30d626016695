/** Makes functions of a row, once: what its operation is asked with, and which part of the data is the answer. */
import { type GraphQLInputType, getNullableType, isInputObjectType } from 'graphql';
import type { VariableTypes } from '../graphql/execute/coerce-variables.ts';
import { ifMatchVersions } from './etag.ts';
import { queryParamKindOf, readQueryParams } from './query-params.ts';
import type { ResponseMapping, RestRoute } from './route.ts';

type Variables = Record<string, unknown>;

/** What a request brings along. */
export interface RouteInput {
  /** Taken over: the variables grow on it. */
  path: Variables;
  query: string;
  /** The parsed JSON body; an empty object when there is none. */
  body: Readonly<Variables>;
  ifMatch: string | undefined;
}

export interface CompiledRoute {
  variables(asking: RouteInput): Variables;
  /** The answer's body; undefined or null says that the addressed record does not exist. */
  responseBody(data: unknown): unknown;
}

export const compileRoute = (row: RestRoute, types: VariableTypes): CompiledRoute => ({
  variables: compileVariables(row, types),
  responseBody: compileAnswer(row.answer),
});

type Step = (variables: Variables, asking: RouteInput) => void;

function compileVariables(row: RestRoute, types: VariableTypes): CompiledRoute['variables'] {
  const steps = [...bodySteps(row, types), ...querySteps(row, types)];
  if (types.some(({ name }) => name === 'version'))
    steps.push((variables, { ifMatch }) => {
      [variables.version] = ifMatchVersions(ifMatch);
    });
  return (asking) => {
    const variables = asking.path;
    for (const step of steps) step(variables, asking);
    return variables;
  };
}

function bodySteps(row: RestRoute, types: VariableTypes): Step[] {
  const steps: Step[] = [];
  if (types.some(({ name }) => name === 'input')) {
    const toInput = compileInput(row);
    steps.push((variables, { body }) => {
      variables.input = toInput(body);
    });
  }
  if (row.fields.length > 0)
    steps.push((variables, { body }) => {
      for (const field of row.fields) variables[field] = body[field];
    });
  return steps;
}

function querySteps(row: RestRoute, types: VariableTypes): Step[] {
  const params = Object.entries(row.query).map(([name, variable]) => {
    const [whole = '', field] = variable.split('.');
    const declared = types.find((one) => one.name === whole)?.type;
    const type = field === undefined ? declared : fieldType(declared, field);
    if (!type) throw new Error(`${row.method} ${row.path}: there is no $${variable} for ${name}.`);
    return { name, variable: whole, field, kind: queryParamKindOf(type) };
  });
  return params.length > 0 ? [(variables, { query }) => readQueryParams(query, params, variables)] : [];
}

function fieldType(type: GraphQLInputType | undefined, field: string): GraphQLInputType | undefined {
  const input = getNullableType(type);
  return isInputObjectType(input) ? input.getFields()[field]?.type : undefined;
}

function compileInput({ alias, drop }: RestRoute): (body: Readonly<Variables>) => Readonly<Variables> {
  const aliases = Object.entries(alias);
  if (aliases.length === 0 && drop.length === 0) return (body) => body;
  return (body) => {
    const input = { ...body };
    for (const [old, field] of aliases) {
      if (!Object.hasOwn(input, old)) continue;
      input[field] ??= input[old];
      delete input[old];
    }
    for (const field of drop) delete input[field];
    return input;
  };
}

interface Connection {
  nodes: unknown[];
  pageInfo: { hasNextPage: boolean; endCursor?: string | null };
}

function compileAnswer(answer: ResponseMapping): CompiledRoute['responseBody'] {
  if ('success' in answer) return () => ({ success: true });
  if ('list' in answer) {
    const connectionOf = reader(answer.list);
    return (data) => {
      const { nodes, pageInfo } = connectionOf(data) as Connection;
      return { items: nodes, cursor: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null };
    };
  }
  if ('value' in answer) {
    const read = reader(answer.value);
    return (data) => {
      const value = read(data);
      return value === null || value === undefined ? undefined : { [answer.as]: value };
    };
  }
  const recordOf = reader(answer.at);
  if (!answer.otherwise) return recordOf;
  const others = Object.entries(answer.otherwise).map(([name, at]) => [name, reader(at)] as const);
  return (data) => recordOf(data) ?? Object.fromEntries(others.map(([name, read]) => [name, read(data)]));
}

/** `updateProduct.product` reads the product of that payload. */
function reader(at: string): (data: unknown) => unknown {
  const [root = '', field] = at.split('.');
  const rootOf = (data: unknown) => (data as Variables)[root];
  return field === undefined ? rootOf : (data) => (rootOf(data) as Variables | null)?.[field];
}
