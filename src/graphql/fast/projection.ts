/** PERF: compiles a selection of pure fields to a function from a record to the object that an execution would return. */
import {
  type FieldNode,
  type FragmentDefinitionNode,
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
import type { Projection } from '../execute/operation-compiler-types.ts';
import { type PureFieldReader, pureReaderOf } from '../schema/pure-field-plugin.ts';

export interface ProjectionCompileState {
  schema: GraphQLSchema;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Number of fields that may still be added, with fragments expanded. */
  remainingFields: number;
}

/** Thrown by a projection for a value on which an execution would report an error. */
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
export function collectProjectedFields(
  compiler: ProjectionCompileState,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): Map<string, FieldNode[]> | undefined {
  const fields = new Map<string, FieldNode[]>();
  const collect = (set: SelectionSetNode): boolean =>
    set.selections.every((selection) => {
      compiler.remainingFields -= 1;
      if (compiler.remainingFields < 0 || selection.directives?.length) return false;
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
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
export function compileProjection(
  compiler: ProjectionCompileState,
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
): Projection | undefined {
  if (isNonNullType(type)) {
    const inner = compileProjection(compiler, type.ofType, nodes);
    return (
      inner &&
      ((value) => {
        if (value === null || value === undefined) throw needsExecutionError;
        return inner(value);
      })
    );
  }
  const project = compileNonNull(compiler, type, nodes);
  return project && ((value) => (value === null || value === undefined ? null : project(value)));
}

function compileNonNull(
  compiler: ProjectionCompileState,
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
): Projection | undefined {
  if (isListType(type)) {
    const item = compileProjection(compiler, type.ofType, nodes);
    return (
      item &&
      ((value) => {
        if (!Array.isArray(value)) throw needsExecutionError;
        return value.map(item);
      })
    );
  }
  if (isLeafType(type)) {
    if (type.name === 'Boolean')
      return (value) => {
        // A value that has to be loaded cannot be part of rendered JSON.
        if (value instanceof Promise) throw needsExecutionError;
        return value;
      };
    if (scalarsSerializedUnchanged.has(type.name)) return (value) => value;
    return (value) => type.serialize(value);
  }
  return isObjectType(type) ? compileObject(compiler, type, nodes) : undefined;
}

interface ProjectedField {
  key: string;
  read: PureFieldReader;
  project: Projection;
}

function compileObject(
  compiler: ProjectionCompileState,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): Projection | undefined {
  const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  const fields = collectProjectedFields(compiler, type, sets);
  if (!fields) return undefined;
  const projectedFields: ProjectedField[] = [];
  for (const [key, fieldNodes] of fields) {
    const field = compileProjectedField(compiler, type, key, fieldNodes);
    if (!field) return undefined;
    projectedFields.push(field);
  }
  // A copy of an object with all keys is faster to fill and to stringify than an object that grows. JSON.parse, because an alias may be `__proto__`.
  const keys = projectedFields.map(({ key }) => `"${key}":null`);
  const template: Record<string, unknown> = JSON.parse(`{${keys.join()}}`);
  return (value) => {
    const result = { ...template };
    for (const { key, read, project } of projectedFields) result[key] = project(read(value));
    return result;
  };
}

export function compileProjectedField(
  compiler: ProjectionCompileState,
  type: GraphQLObjectType,
  key: string,
  nodes: readonly FieldNode[],
): ProjectedField | undefined {
  const name = nodes[0]?.name.value ?? '';
  if (name === '__typename') return { key, read: () => type.name, project: (value) => value };
  const field = type.getFields()[name];
  const read = field && pureReaderOf(field);
  const project = read && compileProjection(compiler, field.type, nodes);
  return project && { key, read, project };
}

export const objectTypeOf = (type: GraphQLOutputType): GraphQLObjectType | undefined => {
  const named = getNamedType(type);
  return isObjectType(named) ? named : undefined;
};
