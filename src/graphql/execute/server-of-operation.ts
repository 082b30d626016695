/** Several database servers: the context of an operation on the server of the business that its root fields name. */
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  getArgumentValues,
  getNamedType,
  isInputObjectType,
  isNonNullType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { type BusinessServers, type Context, createContext, type RootFieldCall } from '../../context.ts';
import { nilUuid } from '../../lib/ids.ts';
import { isPlainObject } from '../../lib/json/plain-objects.ts';
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
  return servers ? onServer(servers, operation, variables, ctx).then(run as never) : run(ctx);
}

async function onServer(
  servers: BusinessServers,
  operation: ParsedOperation,
  variables: Variables,
  { request, viewer }: Context,
): Promise<Context> {
  const services = await servers.servicesOf(listRootFieldCalls(operation, variables));
  return createContext(services.db, services, request, viewer.onServer(services.db));
}

/** All root fields, also those that a directive leaves out. */
export function listRootFieldCalls(
  { schema, document, node }: ParsedOperation,
  variables: Variables,
): RootFieldCall[] {
  const root = schema.getRootType(node.operation);
  if (!root) return [];
  const calls: RootFieldCall[] = [];
  const visited = new Set<string>();
  const visit = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections)
      if (selection.kind === Kind.FIELD) calls.push(toCall(root, selection, variables));
      else if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet);
      else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value);
        for (const definition of document.definitions)
          if (definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value)
            visit(definition.selectionSet);
      }
  };
  visit(node.selectionSet);
  return calls;
}

function toCall(root: GraphQLObjectType, node: FieldNode, variables: Variables): RootFieldCall {
  const name = node.name.value;
  const field = root.getFields()[name];
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
