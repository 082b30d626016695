/** What other domains keep in collections. They say so here, because collections know nothing about them. */
import type { Queries } from '../../../db/handles.ts';
import type { Collection } from '../model.ts';

export interface CollectionDependent {
  /** Such as `entries`. */
  name: string;
  /** SQL: some belong to the collection whose id is in the parameter `collection`. */
  existsSql(collection: string): string;
  /** Called in the transaction that changes a collection. */
  onCollectionUpdate?(tx: Queries, before: Collection, after: Collection): Promise<void>;
}

export const collectionDependents: CollectionDependent[] = [];

export const registerCollectionDependent = (dependent: CollectionDependent): void => {
  collectionDependents.push(dependent);
};
