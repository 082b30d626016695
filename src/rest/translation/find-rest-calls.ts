/** Translates a GraphQL operation to REST: one call for each root field that a route runs with the same arguments. */
import { isDeepStrictEqual } from 'node:util';
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  print,
  type ValueNode,
  visit,
} from 'graphql';
import { AppError } from '../../errors.ts';
import { routes } from '../../generated/domains/routes.ts';
import { validateClientDocument } from '../../graphql/execute/document-preparer.ts';
import { schema } from '../../graphql/schema/schema.ts';
import { sha256Hex } from '../../lib/hash-encrypt-and-random-tokens.ts';
import type { RestRoute } from '../route.ts';
import { OperationSelection, type ParsedRoute, parseRoute } from '../route-with-parsed-operation.ts';
import { listFieldsMissingInRestResponse } from './fields-missing-in-rest-response.ts';
import {
  applyVariableDefaults,
  type RootFieldArguments,
  removeNullsDeep,
  resolveRootFieldArguments,
} from './resolve-arguments.ts';
import { getStoredDocumentText } from './stored-document-text.ts';
import { translateRequest } from './translate-request.ts';

export interface GraphqlRequest {
  query?: string | undefined;
  /** Id of a stored operation. */
  documentId?: string | undefined;
  operationName?: string | undefined;
  variables: Readonly<Record<string, unknown>>;
}

interface RestCall {
  method: string;
  /** Path with query. */
  path: string;
  /** Headers in addition to those of every request. */
  headers: Readonly<Record<string, string>>;
  body: Readonly<Record<string, unknown>> | undefined;
  /** Paths of selected fields that the REST response does not have. */
  missingFields: readonly string[];
}

interface RootFieldTranslation {
  /** Response key of the root field. */
  field: string;
  /** Undefined: no route runs this field with these arguments. */
  call: RestCall | undefined;
}

export function findRestCalls(request: GraphqlRequest): RootFieldTranslation[] {
  const document = validDocumentOf(request);
  const operation = getOperationAST(document, request.operationName);
  if (!operation)
    throw new AppError('BAD_REQUEST', 'The document has no such operation, or several and no operationName.');
  const fragments = document.definitions.filter(
    (definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION,
  );
  const selection = new OperationSelection(
    schema,
    new Map(fragments.map((fragment) => [fragment.name.value, fragment])),
  );
  const variables = applyVariableDefaults(operation, request.variables);
  return rootFieldsOf(operation).map((node) => ({
    field: node.alias?.value ?? node.name.value,
    call: findCall(operation, node, resolveRootFieldArguments(node.arguments, variables), {
      selection,
      variables,
    }),
  }));
}

function validDocumentOf({ query, documentId }: GraphqlRequest): DocumentNode {
  const text = query ?? storedTextsById().get(documentId ?? '');
  if (text === undefined) throw new AppError('NOT_FOUND', 'There is no stored operation with this id.');
  const { document, errors } = validateClientDocument(schema, text);
  const [error] = errors;
  if (!document || error) throw new AppError('BAD_REQUEST', error?.message ?? 'The document is not valid.');
  return document;
}

let textsById: ReadonlyMap<string, string> | undefined;

function storedTextsById(): ReadonlyMap<string, string> {
  textsById ??= new Map(
    routes.flatMap(({ operation }) => {
      const text = getStoredDocumentText(operation.name);
      return text === undefined ? [] : [[sha256Hex(text), text] as const];
    }),
  );
  return textsById;
}

const rootFieldsOf = ({ selectionSet }: OperationDefinitionNode): FieldNode[] =>
  selectionSet.selections.filter(
    (node): node is FieldNode => node.kind === Kind.FIELD && !node.name.value.startsWith('__'),
  );

interface Candidate extends ParsedRoute {
  rootField: FieldNode;
}

let candidatesByField: ReadonlyMap<string, readonly Candidate[]> | undefined;

/** Routes by type and name of their only root field. PATCH replaces PUT, which does the same. */
function candidatesOf(operation: string, field: string): readonly Candidate[] {
  candidatesByField ??= groupCandidates();
  return candidatesByField.get(`${operation} ${field}`) ?? [];
}

function groupCandidates(): ReadonlyMap<string, readonly Candidate[]> {
  const groups = new Map<string, Candidate[]>();
  const isReplaced = (put: RestRoute) =>
    put.method === 'PUT' && routes.some(({ method, path }) => method === 'PATCH' && path === put.path);
  for (const route of routes) {
    const parsed = parseRoute(schema, route);
    const [rootField, ...others] = rootFieldsOf(parsed.operation);
    if (isReplaced(route) || !rootField || others.length > 0) continue;
    const key = `${parsed.operation.operation} ${rootField.name.value}`;
    groups.set(key, [...(groups.get(key) ?? []), { ...parsed, rootField }]);
  }
  return groups;
}

interface ClientOperation {
  selection: OperationSelection;
  /** Values of its variables, with defaults. */
  variables: RootFieldArguments;
}

/** The call of the route whose response has most of the selected fields. */
function findCall(
  { operation, variableDefinitions = [] }: OperationDefinitionNode,
  node: FieldNode,
  args: RootFieldArguments,
  { selection, variables }: ClientOperation,
): RestCall | undefined {
  const types = new Map(variableDefinitions.map(({ variable, type }) => [variable.name.value, print(type)]));
  const calls = candidatesOf(operation, node.name.value).flatMap((candidate) => {
    const call = callOfRoute(candidate, args, (name, type) =>
      types.get(name) === type ? variables[name] : undefined,
    );
    return call
      ? [{ ...call, missingFields: listFieldsMissingInRestResponse(candidate, node, selection) }]
      : [];
  });
  return calls.sort((a, b) => a.missingFields.length - b.missingFields.length)[0];
}

/** `variableValue` has the values of variables by name and type, for variables that the route uses in fields below the root field. */
function callOfRoute(
  { route, rootField, operation }: Candidate,
  args: RootFieldArguments,
  variableValue: (name: string, type: string) => unknown,
): Omit<RestCall, 'missingFields'> | undefined {
  const variables: Record<string, unknown> = {};
  const atRoot = new Set<string>();
  for (const { name, value } of rootField.arguments ?? []) {
    visit(value, { Variable: ({ name: { value: variable } }) => void atRoot.add(variable) });
    assignVariables(value, args[name.value], variables);
  }
  for (const { variable, type } of operation.variableDefinitions ?? [])
    if (!atRoot.has(variable.name.value))
      variables[variable.name.value] = variableValue(variable.name.value, print(type));
  const call = buildCall(route, variables);
  // Translated back, the call must run the field with the same arguments: a value that REST cannot send is lost here.
  const translated = call && translateRequest({ ...call, body: call.body ?? {} });
  const same = translated && resolveRootFieldArguments(rootField.arguments, translated.variables);
  return same && isDeepStrictEqual(removeNullsDeep(same), removeNullsDeep(args)) ? call : undefined;
}

/** Assigns the values of variables that an argument of the stored operation consists of. */
function assignVariables(node: ValueNode, value: unknown, variables: Record<string, unknown>): void {
  if (value === undefined) return;
  if (node.kind === Kind.VARIABLE) variables[node.name.value] = value;
  else if (node.kind === Kind.OBJECT && typeof value === 'object' && value !== null)
    for (const { name, value: inner } of node.fields)
      assignVariables(inner, (value as RootFieldArguments)[name.value], variables);
}

function buildCall(route: RestRoute, variables: RootFieldArguments) {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  if (names.some((name) => variables[name] === undefined)) return undefined;
  const path = route.path.replace(/:(\w+)/g, (_all, name: string) =>
    encodeURIComponent(String(variables[name])),
  );
  const query = new URLSearchParams();
  const set = new Set<string>();
  for (const [param, variable] of Object.entries(route.query)) {
    const [name = '', field] = variable.split('.');
    const value =
      field === undefined ? variables[name] : (variables[name] as RootFieldArguments | undefined)?.[field];
    if (value === undefined || value === null || set.has(variable)) continue;
    set.add(variable);
    query.set(param, Array.isArray(value) ? value.join(',') : String(value));
  }
  const body = {
    ...(variables.input as object | undefined),
    ...Object.fromEntries(
      route.bodyFields.flatMap((field) =>
        variables[field] === undefined ? [] : [[field, variables[field]]],
      ),
    ),
  };
  const hasBody = variables.input !== undefined || Object.keys(body).length > 0;
  const headers: Record<string, string> =
    variables.version === undefined ? {} : { 'if-match': `"${String(variables.version)}"` };
  return {
    method: route.method,
    path: query.size > 0 ? `${path}?${query}` : path,
    headers,
    body: hasBody ? body : undefined,
  };
}
