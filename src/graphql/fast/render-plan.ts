/**
 * Operations whose answer follows from the version of a record, or of the records of a page: the root field is asked as always, with
 * its scopes, but what it returns becomes text once for each version. Everything else runs the usual way.
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
import { maxResponseBytes, responseTooLarge, stringifyResponse } from '../../lib/json/response-json.ts';
import type { Page } from '../../lib/paging.ts';
import type { Variables } from '../execute/coerce-variables.ts';
import {
  collectFields,
  compileField,
  compileProjection,
  objectTypeOf,
  type Projection,
  type ProjectionCompiler,
  projectionError,
} from './projection.ts';
import { createRootCall, type RootCall } from './root-call.ts';

interface Root {
  /** Its key in the answer. */
  readonly key: string;
  /** What its value is written after. */
  readonly head: Buffer;
  /** Whether there may be nothing. */
  readonly nullable: boolean;
  /** What the root field returns; throws as it does. */
  ask(variables: Variables, ctx: Context): Promise<object | null | undefined>;
}

export interface RecordRenderPlan extends Root {
  readonly kind: 'record';
  readonly projectRecord: Projection;
}

export interface PageRenderPlan extends Root {
  readonly kind: 'page';
  /** The parts of the connection in their order. */
  readonly parts: readonly {
    readonly key: string;
    /** What it is written after. */
    readonly head: Buffer;
    readonly ofNode?: Projection;
    ofPage(page: unknown): unknown;
  }[];
}

export type RenderPlan = RecordRenderPlan | PageRenderPlan;

const maxFields = 500;

/** Undefined: this operation has to be executed. */
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
  const compiling: ProjectionCompiler = { schema, fragments, remainingFields: maxFields };
  const field = queryType.getFields()[node.name.value];
  if (!field || !takesNoInfo(field)) return undefined;
  const type = objectTypeOf(field.type);
  const call = type && createRootCall(schema, operation, node, queryType, fragments);
  if (!call) return undefined;
  const key = node.alias?.value ?? field.name;
  const root = {
    key,
    head: Buffer.from(`{"data":{${JSON.stringify(key)}:`),
    nullable: isNullableType(field.type),
    ask: asking(call),
  };
  return type.name.endsWith('Connection')
    ? pagePieces(compiling, root, type, node)
    : recordPieces(compiling, root, type, node);
}

/** Who reads the selection itself, as Prisma's fields do, has to be executed. */
const takesNoInfo = ({ type, extensions }: GraphQLField<unknown, Context>) =>
  !objectTypeOf(type)?.extensions.pothosPrismaModel &&
  ((extensions.pothosOriginalResolve as { length: number } | undefined)?.length ?? 4) < 4;

const asking = (call: RootCall) => async (variables: Variables, ctx: Context) =>
  (await call(variables, ctx)) as object | null | undefined;

function recordPieces(
  compiling: ProjectionCompiler,
  root: Root,
  type: GraphQLObjectType,
  node: FieldNode,
): RecordRenderPlan | undefined {
  // Only what says its version can be the same text twice.
  if (!type.getFields().version) return undefined;
  const record = compileProjection(compiling, type, [node]);
  return record && { ...root, kind: 'record', projectRecord: record };
}

function pagePieces(
  compiling: ProjectionCompiler,
  root: Root,
  type: GraphQLObjectType,
  node: FieldNode,
): PageRenderPlan | undefined {
  const fields = node.selectionSet && collectFields(compiling, type, [node.selectionSet]);
  if (!fields) return undefined;
  const list = type.getFields().nodes;
  const nodeType = list && objectTypeOf(list.type);
  const parts: PageRenderPlan['parts'][number][] = [];
  for (const [key, nodes] of fields) {
    const part = compileField(compiling, type, key, nodes);
    if (!part) return undefined;
    const ofNode =
      nodes[0]?.name.value === 'nodes' && nodeType && compileProjection(compiling, nodeType, nodes);
    const head = Buffer.from(`${parts.length === 0 ? '{' : ','}${JSON.stringify(key)}:`);
    parts.push({ key, head, ofPage: (page) => part.shape(part.read(page)), ...(ofNode ? { ofNode } : {}) });
  }
  return { ...root, kind: 'page', parts };
}

/** The whole answer of GraphQL. Throws where something is wrong with the value. */
export function renderResponse(pieces: RenderPlan, value: object | null | undefined): RenderedBody {
  if (!value) {
    if (pieces.nullable) return joinRendered([pieces.head, nothing]);
    throw projectionError;
  }
  if (pieces.kind === 'record')
    return renderCached(value, pieces, () =>
      renderedJson(`${pieces.head}${stringifyResponse(pieces.projectRecord(value))}}}`),
    );
  return renderCached(value, pieces, () =>
    joinRendered([pieces.head, ...connection(pieces, value as Page<object>)]),
  );
}

function connection({ parts }: PageRenderPlan, page: Page<object>): (string | Uint8Array)[] {
  const list: (string | Uint8Array)[] = [];
  for (const { head, ofNode, ofPage } of parts) {
    list.push(head);
    if (ofNode) list.push(...renderNodeList(page.nodes, ofNode));
    else list.push(stringifyResponse(ofPage(page)));
  }
  list.push(end);
  return list;
}

const nothing = Buffer.from('null}}');
const end = Buffer.from('}}}');
const opening = Buffer.from('[');
const comma = Buffer.from(',');
const closing = Buffer.from(']');

/** A JSON list of texts, each made once for its version. */
export function renderNodeList(nodes: readonly object[], ofNode: Projection): Uint8Array[] {
  const list: Uint8Array[] = [opening];
  for (let index = 0; index < nodes.length; index += 1) {
    const node = nodes[index] as object;
    if (index > 0) list.push(comma);
    list.push(renderCached(node, ofNode, () => renderedJson(stringifyResponse(ofNode(node)))).bytes);
  }
  list.push(closing);
  return list;
}

export const renderedJson = (value: string): RenderedBody & { bytes: Uint8Array } => ({
  bytes: Buffer.from(value),
});

export function joinRendered(parts: readonly (string | Uint8Array)[]): RenderedBody {
  const bytes = new SegmentedBody(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  if (bytes.length > maxResponseBytes) throw responseTooLarge();
  return { bytes };
}
