/** Finds @skip and @include at the root of a subscription, where the GraphQL specification does not allow them. */
import type { DocumentNode, FragmentDefinitionNode, SelectionNode } from 'graphql';

/**
 * Whether a subscription may have no root field. graphql-js evaluates the directives without variables while it validates, and fails
 * while it executes a subscription whose root field is skipped.
 */
export function hasConditionalSubscriptionRoot(document: DocumentNode): boolean {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions)
    if (node.kind === 'FragmentDefinition') fragments.set(node.name.value, node);
  const visited = new Set<string>();

  function isConditional(selection: SelectionNode): boolean {
    if (selection.directives?.some(({ name }) => name.value === 'skip' || name.value === 'include'))
      return true;
    if (selection.kind === 'Field') return false;
    if (selection.kind === 'InlineFragment') return selection.selectionSet.selections.some(isConditional);
    const name = selection.name.value;
    if (visited.has(name)) return false;
    visited.add(name);
    return fragments.get(name)?.selectionSet.selections.some(isConditional) ?? false;
  }

  return document.definitions.some(
    (node) =>
      node.kind === 'OperationDefinition' &&
      node.operation === 'subscription' &&
      node.selectionSet.selections.some(isConditional),
  );
}
