/** Rules of the category tree, without I/O. */
import { type ErrorDetail, validationError } from '../../errors.ts';
import { maxCategoryDepth, maxCategoryPosition } from './model.ts';

/** The part of a category that the rules of the tree need. */
interface CategoryTreeNode {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly slug: string;
  readonly position: number;
}

/** All categories of a business, read under the lock of its tree. */
export interface CategoryTree {
  readonly nodes: readonly CategoryTreeNode[];
  readonly byId: ReadonlyMap<string, CategoryTreeNode>;
}

export const buildCategoryTree = (nodes: readonly CategoryTreeNode[]): CategoryTree => ({
  nodes,
  byId: new Map(nodes.map((node) => [node.id, node])),
});

/** Finds a category by id or slug. An id takes precedence. */
export const findCategoryInTree = (
  { nodes, byId }: CategoryTree,
  idOrSlug: string,
): CategoryTreeNode | undefined =>
  byId.get(idOrSlug.toLowerCase()) ?? nodes.find(({ slug }) => slug === idOrSlug);

/** Direct children in their order. */
export const childCategoriesOf = (
  { nodes }: CategoryTree,
  parentId: string | undefined,
): CategoryTreeNode[] =>
  nodes
    .filter((node) => node.parentId === parentId)
    .sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));

/** The category and its ancestors, the category first. */
function pathOf({ byId }: CategoryTree, id: string | undefined): CategoryTreeNode[] {
  const path: CategoryTreeNode[] = [];
  for (let node = byId.get(id ?? ''); node; node = byId.get(node.parentId ?? '')) path.push(node);
  return path;
}

/** Number of levels from the category down, itself included; 1 for a category that is not in the tree yet. */
function heightOf(tree: CategoryTree, id: string | undefined): number {
  if (id === undefined) return 1;
  const categoryDepth = pathOf(tree, id).length;
  const depths = tree.nodes
    .map((node) => pathOf(tree, node.id))
    .filter((path) => path.some((ancestor) => ancestor.id === id))
    .map((path) => path.length - categoryDepth + 1);
  return Math.max(1, ...depths);
}

/** Error of a category (undefined: a new one) below a parent: it would be below itself, or the tree too deep. */
export function findParentCategoryError(
  tree: CategoryTree,
  id: string | undefined,
  parentId: string,
): ErrorDetail | undefined {
  const path = pathOf(tree, parentId);
  if (path.some((ancestor) => ancestor.id === id))
    return {
      field: 'parentId',
      error: 'CATEGORY_CIRCLE',
      message: 'Must be neither the category itself nor one of its sub-categories.',
    };
  if (path.length + heightOf(tree, id) <= maxCategoryDepth) return undefined;
  return {
    field: 'parentId',
    error: 'TOO_DEEP',
    message: `The tree may have at most ${maxCategoryDepth} levels.`,
  };
}

/** Position after all current children of the parent. */
export const computeNextChildPosition = (tree: CategoryTree, parentId: string | undefined): number =>
  Math.min(maxCategoryPosition, (childCategoriesOf(tree, parentId).at(-1)?.position ?? -1) + 1);

/** A category that is not empty is deleted only with `force`. */
export function assertCategoryDeletable(childCount: number, users: readonly string[], force: boolean): void {
  const contents = [...(childCount > 0 ? [`${childCount} sub-categories`] : []), ...users];
  if (force || contents.length === 0) return;
  throw validationError(
    'force',
    'CATEGORY_NOT_EMPTY',
    `The category has ${contents.join(' and ')}. With force=true its sub-categories move up one level, and everything else keeps the text.`,
  );
}
