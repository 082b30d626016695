/** Measures the size of a document with its fragments expanded (fields, depth, overlapping pairs), before it is validated. */
import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { countOverlappingFieldPairs } from './overlapping-fields.ts';

interface SelectionSize {
  /** Number of fields; fields of a fragment count for every spread. Infinity if fragments form a cycle. */
  readonly fields: number;
  /** Nesting depth of fields. */
  readonly depth: number;
}

interface GraphqlDocumentSize extends SelectionSize {
  /** Fields of all definitions together. */
  readonly total: number;
  /** See overlapping-fields.ts. Undefined if the document is too large to count them. */
  readonly pairs: number | undefined;
}

const emptySize: SelectionSize = { fields: 0, depth: 0 };
const infiniteSize: SelectionSize = { fields: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY };

/** Pairs are counted only within the bounds of fields and total, and only up to `pairs`. */
interface GraphqlDocumentBounds {
  fields: number;
  total: number;
  pairs: number;
}

export function measureGraphqlDocument(
  { definitions }: DocumentNode,
  bounds: GraphqlDocumentBounds,
): GraphqlDocumentSize {
  const fragments = new Map(
    definitions.filter(isFragment).map((fragment) => [fragment.name.value, fragment]),
  );
  // Sizes of fragments: each is measured once. Undefined while it is being measured, which detects cycles.
  const fragmentSizes = new Map<string, SelectionSize | undefined>();

  function measureFragment(name: string): SelectionSize {
    const fragment = fragments.get(name);
    if (!fragment) return emptySize;
    if (fragmentSizes.has(name)) return fragmentSizes.get(name) ?? infiniteSize;
    fragmentSizes.set(name, undefined);
    const size = measureSelections(fragment.selectionSet);
    fragmentSizes.set(name, size);
    return size;
  }

  function measureSelections(set: SelectionSetNode | undefined): SelectionSize {
    let fields = 0;
    let depth = 0;
    for (const selection of set?.selections ?? []) {
      const isField = selection.kind === Kind.FIELD;
      const inner =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? measureFragment(selection.name.value)
          : measureSelections(selection.selectionSet);
      fields += inner.fields + (isField ? 1 : 0);
      depth = Math.max(depth, inner.depth + (isField ? 1 : 0));
    }
    return { fields, depth };
  }

  const executable = definitions.filter(
    (definition) => isFragment(definition) || definition.kind === Kind.OPERATION_DEFINITION,
  );
  const sizes = executable.map((definition) =>
    isFragment(definition)
      ? measureFragment(definition.name.value)
      : measureSelections(definition.selectionSet),
  );
  const fields = Math.max(0, ...sizes.map((size) => size.fields));
  const depth = Math.max(0, ...sizes.map((size) => size.depth));
  const total = sizes.reduce((sum, size) => sum + size.fields, 0);
  const roots = executable.map(({ selectionSet }) => selectionSet);
  const pairs =
    fields > bounds.fields || total > bounds.total
      ? undefined
      : countOverlappingFieldPairs(fragments, roots, bounds.pairs);
  return { fields, depth, total, pairs };
}

const isFragment = (definition: DefinitionNode): definition is FragmentDefinitionNode =>
  definition.kind === Kind.FRAGMENT_DEFINITION;
