/** Inserts @defer and @stream into a document without changing what it selects. */
import {
  type DirectiveNode,
  type DocumentNode,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  Kind,
  type SelectionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { schema } from '../../../src/graphql/schema/schema.ts';

let labels = 0;

const directive = (name: 'defer' | 'stream', initialCount?: number): DirectiveNode => ({
  kind: Kind.DIRECTIVE,
  name: { kind: Kind.NAME, value: name },
  arguments: [
    {
      kind: Kind.ARGUMENT,
      name: { kind: Kind.NAME, value: 'label' },
      value: { kind: Kind.STRING, value: `${name}${++labels}` },
    },
    ...(initialCount === undefined
      ? []
      : [
          {
            kind: Kind.ARGUMENT,
            name: { kind: Kind.NAME, value: 'initialCount' },
            value: { kind: Kind.INT, value: String(initialCount) },
          } as const,
        ]),
  ],
});

/**
 * Defers every selection of a set but the first, one by one or all in one fragment, and streams every list; down to `maxDepth` fields.
 */
export function insertIncrementalDirectives(
  document: DocumentNode,
  seed: number,
  maxDepth = Number.POSITIVE_INFINITY,
): DocumentNode {
  const types = new TypeInfo(schema);
  let sets = seed;
  let depth = 0;
  const deferred = (selections: readonly SelectionNode[]): SelectionNode => ({
    kind: Kind.INLINE_FRAGMENT,
    directives: [directive('defer')],
    selectionSet: { kind: Kind.SELECTION_SET, selections },
  });
  return visit(
    document,
    visitWithTypeInfo(types, {
      // Fragments are counted as deep, because they may be used at any depth.
      FragmentDefinition: {
        enter() {
          depth = 3;
        },
        leave() {
          depth = 0;
        },
      },
      Field: {
        enter() {
          depth += 1;
        },
        leave(node) {
          depth -= 1;
          const type = types.getType();
          if (depth >= maxDepth || !type || !isListType(getNullableType(type))) return undefined;
          return { ...node, directives: [...(node.directives ?? []), directive('stream', sets % 3)] };
        },
      },
      SelectionSet: {
        leave(node) {
          const type = getNamedType(types.getType() ?? types.getParentType());
          if (depth >= maxDepth || !isCompositeType(type)) return undefined;
          const [first, ...others] = node.selections;
          sets += 1;
          if (!first || (others.length === 0 && sets % 2 === 0)) return undefined;
          if (others.length === 0) return { ...node, selections: [deferred([first])] };
          return {
            ...node,
            selections: [
              first,
              ...(sets % 2 === 0 ? [deferred(others)] : others.map((selection) => deferred([selection]))),
            ],
          };
        },
      },
    }),
  );
}
