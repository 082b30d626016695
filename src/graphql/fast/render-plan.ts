/**
 * PERF: render plans, for queries whose response depends only on the versions of a record or of the records of a page. The root field
 * is resolved for every request, with its scopes; its value is rendered to JSON once per version. All other operations are executed.
 */
import { type FieldNode, type GraphQLObjectType, isNullableType, Kind } from 'graphql';
import type {
  PageRenderPlan,
  ParsedOperation,
  RecordRenderPlan,
  RenderPlan,
} from '../execute/operation-compiler-types.ts';
import {
  collectFieldsByKey,
  compileFieldWriter,
  compileJsonWriter,
  objectTypeOf,
  responseKeyOf,
  type WriterCompileState,
} from './json-writer.ts';
import { createRootFieldCall } from './root-field-call.ts';

type RootPlan = Pick<RenderPlan, 'key' | 'head' | 'nullable' | 'resolveRoot'>;

const maxFields = 500;

/** Undefined: the operation has to be executed. */
export function createRenderPlan({
  schema,
  document,
  node: operation,
}: ParsedOperation): RenderPlan | undefined {
  const queryType = schema.getQueryType();
  const [node, second] = operation.selectionSet.selections;
  if (operation.operation !== 'query' || operation.directives?.length || second) return undefined;
  if (!queryType || node?.kind !== Kind.FIELD || node.directives?.length) return undefined;
  const fragments = new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );
  const compiler: WriterCompileState = { schema, fragments, remainingFields: maxFields };
  const field = queryType.getFields()[node.name.value];
  const type = field && objectTypeOf(field.type);
  if (!type) return undefined;
  const call = createRootFieldCall(schema, operation, node, queryType, fragments);
  if (!call) return undefined;
  const key = responseKeyOf(node);
  const root = {
    key,
    head: `{"data":{${JSON.stringify(key)}:`,
    nullable: isNullableType(field.type),
    resolveRoot: call,
  };
  return type.name.endsWith('Connection')
    ? createPagePlan(compiler, root, type, node)
    : createRecordPlan(compiler, root, type, node);
}

function createRecordPlan(
  compiler: WriterCompileState,
  root: RootPlan,
  type: GraphQLObjectType,
  node: FieldNode,
): RecordRenderPlan | undefined {
  // Rendered JSON is cached per version: a type without `version` cannot be cached.
  if (!type.getFields().version) return undefined;
  const writeRecord = compileJsonWriter(compiler, type, [node]);
  const version =
    node.selectionSet && collectFieldsByKey(compiler, type, [node.selectionSet])?.get('version');
  const readVersion = version && compileFieldWriter(compiler, type, 'version', version)?.read;
  const versionOf = readVersion ?? (() => undefined);
  return writeRecord && { ...root, kind: 'record', writeRecord, versionOf };
}

function createPagePlan(
  compiler: WriterCompileState,
  root: RootPlan,
  type: GraphQLObjectType,
  node: FieldNode,
): PageRenderPlan | undefined {
  const selectedFields = node.selectionSet && collectFieldsByKey(compiler, type, [node.selectionSet]);
  if (!selectedFields) return undefined;
  const list = type.getFields().nodes;
  const nodeType = list && objectTypeOf(list.type);
  const fields: PageRenderPlan['fields'][number][] = [];
  for (const [key, nodes] of selectedFields) {
    const field = compileFieldWriter(compiler, type, key, nodes);
    if (!field) return undefined;
    const writeNode =
      nodes[0]?.name.value === 'nodes' && nodeType && compileJsonWriter(compiler, nodeType, nodes);
    const head = Buffer.from(`${fields.length === 0 ? '{' : ','}${field.head}`);
    const writePage = (page: unknown) => field.write(field.read(page));
    fields.push({ key, head, writePage, ...(writeNode ? { writeNode } : {}) });
  }
  return { ...root, kind: 'page', fields };
}
