/** PERF: compiles a selection of pure fields to a function that writes a record as the JSON that an execution would return. */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { maxResponseBytes, responseTooLargeError } from '../../lib/json/response-size-limit.ts';
import type { JsonWriter } from '../execute/operation-compiler-types.ts';
import { type PureFieldReader, pureReaderOf } from '../schema/pure-field-plugin.ts';

export interface WriterCompileState {
  schema: GraphQLSchema;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Number of fields that may still be added, with fragments expanded. */
  remainingFields: number;
}

/** Thrown by a writer for a value on which an execution would report an error. */
export const needsExecutionError = new Error('The value needs an execution, which reports its errors.');

/** Scalars that return the value unchanged. Values come from typed tables, so they are not validated again. */
export const scalarsSerializedUnchanged: ReadonlySet<string> = new Set([
  'String',
  'ID',
  'Boolean',
  'Int',
  'JSON',
]);

/** Fields of a selection by response key. Undefined if there are directives, fragments on other types, or too many fields. */
export function collectFieldsByKey(
  compiler: WriterCompileState,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): Map<string, FieldNode[]> | undefined {
  const fields = new Map<string, FieldNode[]>();
  const collect = (set: SelectionSetNode): boolean =>
    set.selections.every((selection) => {
      compiler.remainingFields -= 1;
      if (compiler.remainingFields < 0 || selection.directives?.length) return false;
      if (selection.kind === Kind.FIELD) {
        const key = responseKeyOf(selection);
        const nodes = fields.get(key);
        if (nodes) nodes.push(selection);
        else fields.set(key, [selection]);
        return true;
      }
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD ? compiler.fragments.get(selection.name.value) : selection;
      const typeCondition = fragment?.typeCondition?.name.value ?? type.name;
      return (
        fragment !== undefined &&
        typeCondition === type.name &&
        !fragment.directives?.length &&
        collect(fragment.selectionSet)
      );
    });
  return sets.every(collect) ? fields : undefined;
}

/** Undefined: a selected field is not pure. */
export function compileJsonWriter(
  compiler: WriterCompileState,
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
): JsonWriter | undefined {
  const isNonNull = isNonNullType(type);
  const write = compileNonNull(compiler, isNonNull ? type.ofType : type, nodes);
  return (
    write &&
    ((value, removeNulls) => {
      if (value !== null && value !== undefined) return write(value, removeNulls);
      if (isNonNull) throw needsExecutionError;
      return 'null';
    })
  );
}

function compileNonNull(
  compiler: WriterCompileState,
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
): JsonWriter | undefined {
  if (isListType(type)) {
    const item = compileJsonWriter(compiler, type.ofType, nodes);
    return (
      item &&
      ((value, removeNulls) => {
        if (!Array.isArray(value)) throw needsExecutionError;
        let json = '';
        for (const inner of value) json = appendJson(json, ',', item(inner, removeNulls));
        return `[${json}]`;
      })
    );
  }
  if (isLeafType(type)) return compileLeaf(type, nodes[0]);
  return isObjectType(type) ? compileObject(compiler, type, nodes) : undefined;
}

function compileLeaf(type: GraphQLLeafType, node: FieldNode | undefined): JsonWriter {
  if (type.name === 'JSON') {
    const key = node ? responseKeyOf(node) : '';
    return (value, removeNulls) => JSON.stringify(removeNulls ? removeNulls(key, value) : value);
  }
  if (type.name === 'Boolean')
    return (value) => {
      // A value that has to be loaded cannot be part of rendered JSON.
      if (value instanceof Promise) throw needsExecutionError;
      return writeScalar(value);
    };
  return scalarsSerializedUnchanged.has(type.name)
    ? writeScalar
    : (value) => writeScalar(type.serialize(value));
}

/** No characters that JSON escapes. */
const unescaped = /^[ !#-[\]-\ud7ff]*$/;
/** `JSON.stringify` is faster for longer strings. */
const maxCheckedLength = 100;

function writeScalar(value: unknown): string {
  if (typeof value === 'string')
    return value.length <= maxCheckedLength && unescaped.test(value) ? `"${value}"` : JSON.stringify(value);
  return typeof value === 'number' && Number.isFinite(value) ? `${value}` : JSON.stringify(value);
}

/** Long texts under many aliases could reach hundreds of megabytes: stops at the size limit of responses. */
function appendJson(json: string, separator: string, part: string): string {
  const joined = json === '' ? part : json + separator + part;
  if (joined.length > maxResponseBytes) throw responseTooLargeError();
  return joined;
}

interface FieldWriter {
  /** JSON of the response key with its colon. */
  head: string;
  read: PureFieldReader;
  write: JsonWriter;
}

function compileObject(
  compiler: WriterCompileState,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): JsonWriter | undefined {
  const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  const fields = collectFieldsByKey(compiler, type, sets);
  if (!fields) return undefined;
  const writers: FieldWriter[] = [];
  for (const [key, fieldNodes] of fields) {
    const writer = compileFieldWriter(compiler, type, key, fieldNodes);
    if (!writer) return undefined;
    writers.push(writer);
  }
  return (value, removeNulls) => {
    let json = '';
    for (const { head, read, write } of writers) {
      const inner = write(read(value), removeNulls);
      if (inner !== 'null' || !removeNulls) json = appendJson(json, ',', head + inner);
    }
    return `{${json}}`;
  };
}

export function compileFieldWriter(
  compiler: WriterCompileState,
  type: GraphQLObjectType,
  key: string,
  nodes: readonly FieldNode[],
): FieldWriter | undefined {
  const head = `${JSON.stringify(key)}:`;
  const name = nodes[0]?.name.value ?? '';
  if (name === '__typename') return { head, read: () => type.name, write: writeScalar };
  const field = type.getFields()[name];
  const read = field && pureReaderOf(field);
  const write = read && compileJsonWriter(compiler, field.type, nodes);
  return write && { head, read, write };
}

export const responseKeyOf = ({ alias, name }: FieldNode): string => alias?.value ?? name.value;

export const objectTypeOf = (type: GraphQLOutputType): GraphQLObjectType | undefined => {
  const named = getNamedType(type);
  return isObjectType(named) ? named : undefined;
};
