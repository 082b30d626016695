/** Counts the pairs of fields and fragments that the validation rule OverlappingFieldsCanBeMerged would compare; its run time is quadratic. */
import { type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';

/** Stops counting above `limit`. Only for documents whose size `measureGraphqlDocument` has found to be within bounds. */
export function countOverlappingFieldPairs(
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  roots: readonly SelectionSetNode[],
  limit: number,
): number {
  let pairs = 0;

  function countMerged(sets: readonly SelectionSetNode[]): void {
    const byName = new Map<string, FieldNode[]>();
    const fragmentNames = new Set<string>();
    for (const set of sets) collect(set, byName, fragmentNames);
    pairs += fragmentNames.size ** 2;
    for (const fields of byName.values()) {
      pairs += fields.length ** 2;
      if (pairs > limit) return;
      const inner = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (inner.length > 0) countMerged(inner);
    }
  }

  function collect(
    { selections }: SelectionSetNode,
    byName: Map<string, FieldNode[]>,
    fragmentNames: Set<string>,
  ): void {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const name = (selection.alias ?? selection.name).value;
        const fields = byName.get(name);
        if (fields) fields.push(selection);
        else byName.set(name, [selection]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet, byName, fragmentNames);
      } else if (!fragmentNames.has(selection.name.value)) {
        fragmentNames.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment) collect(fragment.selectionSet, byName, fragmentNames);
      }
    }
  }

  for (const root of roots) {
    countMerged([root]);
    if (pairs > limit) break;
  }
  return pairs;
}
