/** Several database servers: the context of an operation on the server of the business that its root fields name. */
import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  getArgumentValues,
  getNamedType,
  isInputObjectType,
  isNonNullType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import {
  type BusinessServers,
  type Context,
  createContext,
  type RootFieldCall,
  type Services,
} from '../../context.ts';
import { nilUuid } from '../../lib/ids.ts';
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import { severalServersError } from '../../shards/account-tables.ts';
import type { Variables } from './coerce-variables.ts';
import type { ParsedOperation } from './operation-compiler-types.ts';

/** Calls `run` with the context of the server. With one server it is called at once. */
export function runOnServer<Result>(
  operation: ParsedOperation,
  variables: Variables,
  ctx: Context,
  run: (ctx: Context) => Result,
): Result | Promise<Awaited<Result>> {
  const { servers } = ctx;
  return servers
    ? groupRootFieldsByServer(servers, operation, variables).then((groups) => {
        const [services = servers.accounts, ...others] = groups.keys();
        if (others.length > 0)
          throw severalServersError('The fields of this operation are on several servers.');
        return run(createServerContext(services, ctx)) as Awaited<Result>;
      })
    : run(ctx);
}

const createServerContext = (services: Services, { request, viewer }: Context): Context =>
  createContext(services.db, services, request, viewer.onServer(services.db));

/** Root fields of an operation, by the services that resolve them. */
export async function groupRootFieldsByServer(
  servers: BusinessServers,
  operation: ParsedOperation,
  variables: Variables,
): Promise<Map<Services, Set<FieldNode>>> {
  const fields = listRootFields(operation).filter(({ name }) => name.value !== '__typename');
  const services = await Promise.all(
    fields.map((node) => servers.servicesOfCall(toCall(operation, node, variables))),
  );
  const groups = new Map<Services, Set<FieldNode>>();
  for (const [index, node] of fields.entries()) {
    const server = services[index] ?? servers.accounts;
    groups.set(server, (groups.get(server) ?? new Set()).add(node));
  }
  return groups;
}

/** All root fields, also those that a directive leaves out. */
function listRootFields({ document, node }: ParsedOperation): FieldNode[] {
  const fields: FieldNode[] = [];
  const visited = new Set<string>();
  const visit = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections)
      if (selection.kind === Kind.FIELD) fields.push(selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet);
      else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value);
        const fragment = findFragment(document, selection.name.value);
        if (fragment) visit(fragment.selectionSet);
      }
  };
  visit(node.selectionSet);
  return fields;
}

const findFragment = ({ definitions }: DocumentNode, name: string): FragmentDefinitionNode | undefined =>
  definitions.find(
    (definition): definition is FragmentDefinitionNode =>
      definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
  );

/** Part of a query with some of its root fields. */
interface QueryPart {
  readonly ctx: Context;
  readonly operation: ParsedOperation;
}

/** Runs a query whose root fields are on several servers: each server runs a part, and the results are merged. */
export async function runQueryOnServers(
  operation: ParsedOperation,
  variables: Variables,
  servers: BusinessServers,
  ctx: Context,
  run: (part: QueryPart) => Promise<ExecutionResult> | ExecutionResult,
): Promise<ExecutionResult> {
  const groups = await groupRootFieldsByServer(servers, operation, variables);
  const [services = servers.accounts] = groups.keys();
  if (groups.size <= 1) return run({ ctx: createServerContext(services, ctx), operation });
  const results = await Promise.all(
    [...groups].map(([server, fields]) =>
      run({ ctx: createServerContext(server, ctx), operation: selectRootFields(operation, fields) }),
    ),
  );
  return mergeResults(operation, results);
}

function selectRootFields(operation: ParsedOperation, fields: ReadonlySet<FieldNode>): ParsedOperation {
  const { document } = operation;
  const select = ({ selections }: SelectionSetNode): SelectionSetNode => ({
    kind: Kind.SELECTION_SET,
    selections: selections.flatMap((selection): SelectionNode[] => {
      if (selection.kind === Kind.FIELD)
        return fields.has(selection) || selection.name.value === '__typename' ? [selection] : [];
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : findFragment(document, selection.name.value);
      if (!fragment) return [];
      const { typeCondition } = fragment;
      const selectionSet = select(fragment.selectionSet);
      const { directives = [] } = selection;
      return selectionSet.selections.length === 0
        ? []
        : [
            {
              kind: Kind.INLINE_FRAGMENT,
              selectionSet,
              directives,
              ...(typeCondition ? { typeCondition } : {}),
            },
          ];
    }),
  });
  const node = { ...operation.node, selectionSet: select(operation.node.selectionSet) };
  const definitions = document.definitions.map((definition) =>
    definition === operation.node ? node : definition,
  );
  return { ...operation, node, document: { ...document, definitions } };
}

/** A part without data has a required field that failed: then the whole operation has no data. */
function mergeResults(operation: ParsedOperation, results: readonly ExecutionResult[]): ExecutionResult {
  const errors = results.flatMap((result) => result.errors ?? []);
  const data: Record<string, unknown> = Object.assign({}, ...results.map((result) => result.data));
  const keys = new Set(listRootFields(operation).map(({ alias, name }) => (alias ?? name).value));
  return {
    ...(errors.length > 0 ? { errors } : {}),
    data: results.every((result) => result.data)
      ? Object.fromEntries([...keys].flatMap((key) => (key in data ? [[key, data[key]]] : [])))
      : null,
  };
}

function toCall(
  { schema, node: { operation } }: ParsedOperation,
  node: FieldNode,
  variables: Variables,
): RootFieldCall {
  const name = node.name.value;
  const field = schema.getRootType(operation)?.getFields()[name];
  if (!field) return { name, businessId: undefined, args: {} };
  const args = readArguments(field, node, variables);
  const { businessId, id, input } = args;
  const value =
    businessId ??
    (isPlainObject(input) ? input.businessId : undefined) ??
    (isBusiness(name) ? id : undefined);
  if (typeof value === 'string') return { name, businessId: value, args };
  // Without its business the operation will be invalid, which any server can tell.
  return { name, businessId: requiresBusiness(field) ? nilUuid : undefined, args };
}

function requiresBusiness({ name, args }: GraphQLField<unknown, unknown>): boolean {
  const requires = (fields: readonly { name: string; type: unknown }[], key: string): boolean =>
    fields.some((candidate) => candidate.name === key && isNonNullType(candidate.type));
  const input = getNamedType(args.find((arg) => arg.name === 'input')?.type);
  return (
    requires(args, 'businessId') ||
    (isBusiness(name) && requires(args, 'id')) ||
    (isInputObjectType(input) && requires(Object.values(input.getFields()), 'businessId'))
  );
}

/** Of `business`, `updateBusiness` and `deleteBusiness`, whose `id` is that of the business. */
const isBusiness = (field: string) => /business$/i.test(field);

/** Invalid variables are reported later: until then any server will do. */
function readArguments(
  field: Parameters<typeof getArgumentValues>[0],
  node: FieldNode,
  variables: Variables,
): Record<string, unknown> {
  try {
    return getArgumentValues(field, node, variables);
  } catch {
    return Object.fromEntries(
      (node.arguments ?? []).map(({ name, value }) => [
        name.value,
        value.kind === Kind.VARIABLE
          ? variables[value.name.value]
          : 'value' in value
            ? value.value
            : undefined,
      ]),
    );
  }
}
