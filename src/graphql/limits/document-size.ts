/** Weighs a document by its text alone, before anything expensive is done with it: how large it is with its fragments expanded. */
import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { countOverlappingPairs } from './overlapping-fields.ts';

interface Weight {
  /** Fields, those of fragments counted wherever they are spread. Infinite when fragments run in circles. */
  readonly fields: number;
  /** Levels of fields. */
  readonly depth: number;
}

export interface DocumentSize extends Weight {
  /** The fields of all definitions together. */
  readonly total: number;
  /** See overlap.ts. Undefined when the document is too heavy to count them. */
  readonly pairs: number | undefined;
}

const nothing: Weight = { fields: 0, depth: 0 };
const endless: Weight = { fields: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY };

/** What must not be exceeded for pairs to be counted, and up to where. */
export interface DocumentBounds {
  fields: number;
  total: number;
  pairs: number;
}

export function measureDocument({ definitions }: DocumentNode, bounds: DocumentBounds): DocumentSize {
  const fragments = new Map(
    definitions.filter(isFragment).map((fragment) => [fragment.name.value, fragment]),
  );
  // Each fragment is walked once, however often it is spread. Undefined while it is being walked.
  const known = new Map<string, Weight | undefined>();

  function ofFragment(name: string): Weight {
    const fragment = fragments.get(name);
    if (!fragment) return nothing;
    if (known.has(name)) return known.get(name) ?? endless;
    known.set(name, undefined);
    const weight = ofSelections(fragment.selectionSet);
    known.set(name, weight);
    return weight;
  }

  function ofSelections(set: SelectionSetNode | undefined): Weight {
    let fields = 0;
    let depth = 0;
    for (const selection of set?.selections ?? []) {
      const isField = selection.kind === Kind.FIELD;
      const inner =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? ofFragment(selection.name.value)
          : ofSelections(selection.selectionSet);
      fields += inner.fields + (isField ? 1 : 0);
      depth = Math.max(depth, inner.depth + (isField ? 1 : 0));
    }
    return { fields, depth };
  }

  const executable = definitions.filter(
    (definition) => isFragment(definition) || definition.kind === Kind.OPERATION_DEFINITION,
  );
  const weights = executable.map((definition) =>
    isFragment(definition) ? ofFragment(definition.name.value) : ofSelections(definition.selectionSet),
  );
  const fields = Math.max(0, ...weights.map((weight) => weight.fields));
  const depth = Math.max(0, ...weights.map((weight) => weight.depth));
  const total = weights.reduce((sum, weight) => sum + weight.fields, 0);
  const roots = executable.map(({ selectionSet }) => selectionSet);
  const pairs =
    fields > bounds.fields || total > bounds.total
      ? undefined
      : countOverlappingPairs(fragments, roots, bounds.pairs);
  return { fields, depth, total, pairs };
}

const isFragment = (definition: DefinitionNode): definition is FragmentDefinitionNode =>
  definition.kind === Kind.FRAGMENT_DEFINITION;
