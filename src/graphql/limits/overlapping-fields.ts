/** How often validation would compare two selections of a document: every pair of fields, and of fragments, that may be merged. */
import { type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';

/** Stops counting beyond `limit`. Only for documents that `weigh` has found small enough. */
export function countOverlappingPairs(
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  roots: readonly SelectionSetNode[],
  limit: number,
): number {
  let pairs = 0;

  function ofMerged(sets: readonly SelectionSetNode[]): void {
    const byName = new Map<string, FieldNode[]>();
    const spread = new Set<string>();
    for (const set of sets) collect(set, byName, spread);
    pairs += spread.size ** 2;
    for (const fields of byName.values()) {
      pairs += fields.length ** 2;
      if (pairs > limit) return;
      const inner = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (inner.length > 0) ofMerged(inner);
    }
  }

  function collect(
    { selections }: SelectionSetNode,
    byName: Map<string, FieldNode[]>,
    spread: Set<string>,
  ): void {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const name = (selection.alias ?? selection.name).value;
        const fields = byName.get(name);
        if (fields) fields.push(selection);
        else byName.set(name, [selection]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet, byName, spread);
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment) collect(fragment.selectionSet, byName, spread);
      }
    }
  }

  for (const root of roots) {
    ofMerged([root]);
    if (pairs > limit) break;
  }
  return pairs;
}
