/**
 * PERF: render plans, for queries whose response depends only on the versions of a record or of the records of a page. The root field
 * is resolved for every request, with its scopes; its value is rendered to JSON once per version. All other operations are executed.
 */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isNullableType,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import type { Context } from '../../context.ts';
import { SegmentedBody } from '../../http-message.ts';
import { type RenderedBody, renderCached } from '../../lib/cache/record-cache.ts';
import { maxResponseBytes, responseTooLargeError, stringifyResponse } from '../../lib/json/response-size.ts';
import type { Page } from '../../lib/paging.ts';
import type { Variables } from '../execute/coerce-variables.ts';
import {
  collectProjectedFields,
  compileProjectedField,
  compileProjection,
  needsExecutionError,
  objectTypeOf,
  type Projection,
  type ProjectionCompileState,
} from './projection.ts';
import { type CallRootField, createRootFieldCall } from './root-call.ts';

interface RootPlan {
  /** Response key of the root field. */
  readonly key: string;
  /** JSON before the value of the root field. */
  readonly head: Buffer;
  /** Whether the root field may be null. */
  readonly nullable: boolean;
  /** Value of the root field; throws its error. */
  resolveRoot(variables: Variables, ctx: Context): Promise<object | null | undefined>;
}

export interface RecordRenderPlan extends RootPlan {
  readonly kind: 'record';
  readonly projectRecord: Projection;
}

export interface PageRenderPlan extends RootPlan {
  readonly kind: 'page';
  /** Selected fields of the connection, in order. */
  readonly fields: readonly {
    readonly key: string;
    /** JSON before the value of the field. */
    readonly head: Buffer;
    /** Set for `nodes`, whose items are rendered one by one. */
    readonly projectNode?: Projection;
    projectPage(page: unknown): unknown;
  }[];
}

export type RenderPlan = RecordRenderPlan | PageRenderPlan;

const maxFields = 500;

/** Undefined: the operation has to be executed. */
export function createRenderPlan(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): RenderPlan | undefined {
  const queryType = schema.getQueryType();
  const [node, second] = operation.selectionSet.selections;
  if (operation.operation !== 'query' || operation.directives?.length || second) return undefined;
  if (!queryType || node?.kind !== Kind.FIELD || node.directives?.length) return undefined;
  const fragments = new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );
  const compiler: ProjectionCompileState = { schema, fragments, remainingFields: maxFields };
  const field = queryType.getFields()[node.name.value];
  if (!field || !ignoresInfo(field)) return undefined;
  const type = objectTypeOf(field.type);
  const call = type && createRootFieldCall(schema, operation, node, queryType, fragments);
  if (!call) return undefined;
  const key = node.alias?.value ?? field.name;
  const root = {
    key,
    head: Buffer.from(`{"data":{${JSON.stringify(key)}:`),
    nullable: isNullableType(field.type),
    resolveRoot: resolveWith(call),
  };
  return type.name.endsWith('Connection')
    ? createPagePlan(compiler, root, type, node)
    : createRecordPlan(compiler, root, type, node);
}

/** Resolvers that read the selection from `info`, such as those of the Prisma plugin, have to be executed. */
const ignoresInfo = ({ type, extensions }: GraphQLField<unknown, Context>) =>
  !objectTypeOf(type)?.extensions.pothosPrismaModel &&
  ((extensions.pothosOriginalResolve as { length: number } | undefined)?.length ?? 4) < 4;

const resolveWith = (call: CallRootField) => async (variables: Variables, ctx: Context) =>
  (await call(variables, ctx)) as object | null | undefined;

function createRecordPlan(
  compiler: ProjectionCompileState,
  root: RootPlan,
  type: GraphQLObjectType,
  node: FieldNode,
): RecordRenderPlan | undefined {
  // Rendered JSON is cached per version: a type without `version` cannot be cached.
  if (!type.getFields().version) return undefined;
  const projectRecord = compileProjection(compiler, type, [node]);
  return projectRecord && { ...root, kind: 'record', projectRecord };
}

function createPagePlan(
  compiler: ProjectionCompileState,
  root: RootPlan,
  type: GraphQLObjectType,
  node: FieldNode,
): PageRenderPlan | undefined {
  const selectedFields = node.selectionSet && collectProjectedFields(compiler, type, [node.selectionSet]);
  if (!selectedFields) return undefined;
  const list = type.getFields().nodes;
  const nodeType = list && objectTypeOf(list.type);
  const fields: PageRenderPlan['fields'][number][] = [];
  for (const [key, nodes] of selectedFields) {
    const field = compileProjectedField(compiler, type, key, nodes);
    if (!field) return undefined;
    const projectNode =
      nodes[0]?.name.value === 'nodes' && nodeType && compileProjection(compiler, nodeType, nodes);
    const head = Buffer.from(`${fields.length === 0 ? '{' : ','}${JSON.stringify(key)}:`);
    const projectPage = (page: unknown) => field.project(field.read(page));
    fields.push({ key, head, projectPage, ...(projectNode ? { projectNode } : {}) });
  }
  return { ...root, kind: 'page', fields };
}

/** Renders the whole GraphQL response. Throws `needsExecutionError` if the value needs an execution. */
export function renderGraphqlResponse(plan: RenderPlan, value: object | null | undefined): RenderedBody {
  if (!value) {
    if (plan.nullable) return joinRenderedSegments([plan.head, nullEnd]);
    throw needsExecutionError;
  }
  if (plan.kind === 'record')
    return renderCached(value, plan, () =>
      toRenderedBody(`${plan.head}${stringifyResponse(plan.projectRecord(value))}}}`),
    );
  return renderCached(value, plan, () =>
    joinRenderedSegments([plan.head, ...renderConnection(plan, value as Page<object>)]),
  );
}

function renderConnection({ fields }: PageRenderPlan, page: Page<object>): (string | Uint8Array)[] {
  const segments: (string | Uint8Array)[] = [];
  for (const { head, projectNode, projectPage } of fields) {
    segments.push(head);
    if (projectNode) segments.push(...renderNodeList(page.nodes, projectNode));
    else segments.push(stringifyResponse(projectPage(page)));
  }
  segments.push(end);
  return segments;
}

const nullEnd = Buffer.from('null}}');
const end = Buffer.from('}}}');
const opening = Buffer.from('[');
const comma = Buffer.from(',');
const closing = Buffer.from(']');

/** JSON array of the nodes; the JSON of each node is cached per version. */
export function renderNodeList(nodes: readonly object[], projectNode: Projection): Uint8Array[] {
  const segments: Uint8Array[] = [opening];
  for (let index = 0; index < nodes.length; index += 1) {
    const node = nodes[index] as object;
    if (index > 0) segments.push(comma);
    const render = () => toRenderedBody(stringifyResponse(projectNode(node)));
    segments.push(renderCached(node, projectNode, render).bytes);
  }
  segments.push(closing);
  return segments;
}

export const toRenderedBody = (value: string): RenderedBody & { bytes: Uint8Array } => ({
  bytes: Buffer.from(value),
});

/** Throws ANSWER_TOO_LARGE above the size limit of responses. */
export function joinRenderedSegments(segments: readonly (string | Uint8Array)[]): RenderedBody {
  const bytes = new SegmentedBody(
    segments.map((segment) => (typeof segment === 'string' ? Buffer.from(segment) : segment)),
  );
  if (bytes.length > maxResponseBytes) throw responseTooLargeError();
  return { bytes };
}
