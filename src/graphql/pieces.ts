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
import type { Context } from '../context.ts';
import { answerJson, answerTooLarge, maxAnswerBytes } from '../lib/answer-json.ts';
import { type Text, textOf } from '../lib/kept.ts';
import type { Page } from '../lib/paging.ts';
import { Joined } from '../message.ts';
import type { Variables } from './coerce.ts';
import { type RootCall, rootCallOf } from './root-call.ts';
import { type Compiling, collectFields, objectTypeOf, partOf, type Shape, shapeOf, unfit } from './shape.ts';

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

export interface RecordPieces extends Root {
  readonly kind: 'record';
  readonly record: Shape;
}

export interface PagePieces extends Root {
  readonly kind: 'page';
  /** The parts of the connection in their order. */
  readonly parts: readonly {
    readonly key: string;
    /** What it is written after. */
    readonly head: Buffer;
    readonly ofNode?: Shape;
    ofPage(page: unknown): unknown;
  }[];
}

export type Pieces = RecordPieces | PagePieces;

const maxFields = 500;

/** Undefined: this operation has to be executed. */
export function piecesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Pieces | undefined {
  const queryType = schema.getQueryType();
  const [node, second] = operation.selectionSet.selections;
  if (operation.operation !== 'query' || operation.directives?.length || second) return undefined;
  if (!queryType || node?.kind !== Kind.FIELD || node.directives?.length) return undefined;
  const fragments = new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );
  const compiling: Compiling = { schema, fragments, room: maxFields };
  const field = queryType.getFields()[node.name.value];
  if (!field || !takesNoInfo(field)) return undefined;
  const type = objectTypeOf(field.type);
  const call = type && rootCallOf(schema, operation, node, queryType, fragments);
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
  compiling: Compiling,
  root: Root,
  type: GraphQLObjectType,
  node: FieldNode,
): RecordPieces | undefined {
  // Only what says its version can be the same text twice.
  if (!type.getFields().version) return undefined;
  const record = shapeOf(compiling, type, [node]);
  return record && { ...root, kind: 'record', record };
}

function pagePieces(
  compiling: Compiling,
  root: Root,
  type: GraphQLObjectType,
  node: FieldNode,
): PagePieces | undefined {
  const fields = node.selectionSet && collectFields(compiling, type, [node.selectionSet]);
  if (!fields) return undefined;
  const list = type.getFields().nodes;
  const nodeType = list && objectTypeOf(list.type);
  const parts: PagePieces['parts'][number][] = [];
  for (const [key, nodes] of fields) {
    const part = partOf(compiling, type, key, nodes);
    if (!part) return undefined;
    const ofNode = nodes[0]?.name.value === 'nodes' && nodeType && shapeOf(compiling, nodeType, nodes);
    const head = Buffer.from(`${parts.length === 0 ? '{' : ','}${JSON.stringify(key)}:`);
    parts.push({ key, head, ofPage: (page) => part.shape(part.read(page)), ...(ofNode ? { ofNode } : {}) });
  }
  return { ...root, kind: 'page', parts };
}

/** The whole answer of GraphQL. Throws where something is wrong with the value. */
export function answerOf(pieces: Pieces, value: object | null | undefined): Text {
  if (!value) {
    if (pieces.nullable) return joined([pieces.head, nothing]);
    throw unfit;
  }
  if (pieces.kind === 'record')
    return textOf(value, pieces, () => text(`${pieces.head}${answerJson(pieces.record(value))}}}`));
  return textOf(value, pieces, () => joined([pieces.head, ...connection(pieces, value as Page<object>)]));
}

function connection({ parts }: PagePieces, page: Page<object>): (string | Uint8Array)[] {
  const list: (string | Uint8Array)[] = [];
  for (const { head, ofNode, ofPage } of parts) {
    list.push(head);
    if (ofNode) list.push(...nodeTexts(page.nodes, ofNode));
    else list.push(answerJson(ofPage(page)));
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
export function nodeTexts(nodes: readonly object[], ofNode: Shape): Uint8Array[] {
  const list: Uint8Array[] = [opening];
  for (let index = 0; index < nodes.length; index += 1) {
    const node = nodes[index] as object;
    if (index > 0) list.push(comma);
    list.push(textOf(node, ofNode, () => text(answerJson(ofNode(node)))).bytes);
  }
  list.push(closing);
  return list;
}

export const text = (value: string): Text & { bytes: Uint8Array } => ({ bytes: Buffer.from(value) });

export function joined(parts: readonly (string | Uint8Array)[]): Text {
  const bytes = new Joined(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  if (bytes.length > maxAnswerBytes) throw answerTooLarge();
  return { bytes };
}
