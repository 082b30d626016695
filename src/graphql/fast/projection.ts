/** Compiles a selection of plain fields to a function that makes of a record what an execution would. */
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
import { type PureFieldReader, pureReaderOf } from './pure-fields.ts';

/** Throws `unfit` for a value that an execution would complain about. */
export type Projection = (value: unknown) => unknown;

export interface ProjectionCompiler {
  schema: GraphQLSchema;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** How many more fields there may be, fragments written out. */
  remainingFields: number;
}

export const projectionError = new Error('This value is for the executor to complain about.');

/** Values come from our own typed tables; only scalars that convert are asked. */
export const identityScalars: ReadonlySet<string> = new Set(['String', 'ID', 'Boolean', 'Int', 'JSON']);

/** The fields of a selection by their key in the answer. Undefined: there are directives or types to decide on. */
export function collectFields(
  compiling: ProjectionCompiler,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): Map<string, FieldNode[]> | undefined {
  const fields = new Map<string, FieldNode[]>();
  const collect = (set: SelectionSetNode): boolean =>
    set.selections.every((selection) => {
      compiling.remainingFields -= 1;
      if (compiling.remainingFields < 0 || selection.directives?.length) return false;
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        const same = fields.get(key);
        if (same) same.push(selection);
        else fields.set(key, [selection]);
        return true;
      }
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD ? compiling.fragments.get(selection.name.value) : selection;
      const on = fragment?.typeCondition?.name.value ?? type.name;
      return (
        fragment !== undefined &&
        on === type.name &&
        !fragment.directives?.length &&
        collect(fragment.selectionSet)
      );
    });
  return sets.every(collect) ? fields : undefined;
}

/** Undefined: something in the selection depends on more than the record. */
export function compileProjection(
  compiling: ProjectionCompiler,
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
): Projection | undefined {
  if (isNonNullType(type)) {
    const inner = compileProjection(compiling, type.ofType, nodes);
    return (
      inner &&
      ((value) => {
        if (value === null || value === undefined) throw projectionError;
        return inner(value);
      })
    );
  }
  const present = shapeOfPresent(compiling, type, nodes);
  return present && ((value) => (value === null || value === undefined ? null : present(value)));
}

function shapeOfPresent(
  compiling: ProjectionCompiler,
  type: GraphQLOutputType,
  nodes: readonly FieldNode[],
): Projection | undefined {
  if (isListType(type)) {
    const item = compileProjection(compiling, type.ofType, nodes);
    return (
      item &&
      ((value) => {
        if (!Array.isArray(value)) throw projectionError;
        return value.map(item);
      })
    );
  }
  if (isLeafType(type)) {
    if (type.name === 'Boolean')
      return (value) => {
        // What has to be looked up first cannot be part of a text.
        if (value instanceof Promise) throw projectionError;
        return value;
      };
    if (identityScalars.has(type.name)) return (value) => value;
    return (value) => type.serialize(value);
  }
  return isObjectType(type) ? objectShape(compiling, type, nodes) : undefined;
}

interface Part {
  key: string;
  read: PureFieldReader;
  shape: Projection;
}

function objectShape(
  compiling: ProjectionCompiler,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): Projection | undefined {
  const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  const fields = collectFields(compiling, type, sets);
  if (!fields) return undefined;
  const parts: Part[] = [];
  for (const [key, same] of fields) {
    const part = compileField(compiling, type, key, same);
    if (!part) return undefined;
    parts.push(part);
  }
  // What is copied with all its keys is quicker to fill and to write than what grows. Parsed: an alias may be `__proto__`.
  const blank: Record<string, unknown> = JSON.parse(`{${parts.map(({ key }) => `"${key}":null`).join()}}`);
  return (value) => {
    const made = { ...blank };
    for (const { key, read, shape } of parts) made[key] = shape(read(value));
    return made;
  };
}

export function compileField(
  compiling: ProjectionCompiler,
  type: GraphQLObjectType,
  key: string,
  nodes: readonly FieldNode[],
): Part | undefined {
  const name = nodes[0]?.name.value ?? '';
  if (name === '__typename') return { key, read: () => type.name, shape: (value) => value };
  const field = type.getFields()[name];
  const read = field && pureReaderOf(field);
  const shape = read && compileProjection(compiling, field.type, nodes);
  return shape && { key, read, shape };
}

export const objectTypeOf = (type: GraphQLOutputType): GraphQLObjectType | undefined => {
  const named = getNamedType(type);
  return isObjectType(named) ? named : undefined;
};
