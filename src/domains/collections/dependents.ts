/** What other domains keep in collections. They say so here, because collections know nothing about them. */
import type { Queries } from '../../db/sql.ts';
import type { Collection } from './model.ts';

export interface Dependent {
  /** Such as `entries`. */
  name: string;
  /** SQL: some belong to the collection whose id is in the parameter `collection`. */
  existIn(collection: string): string;
  /** Called in the transaction that changes a collection. */
  follow?(tx: Queries, before: Collection, after: Collection): Promise<void>;
}

export const dependents: Dependent[] = [];

export const dependOnCollections = (dependent: Dependent): void => {
  dependents.push(dependent);
};
