/** Registry of domains whose records belong to a collection, such as entries. They register here, because this domain must not import them. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import type { Collection } from '../model.ts';

interface CollectionDependent {
  /** Name of the records, such as `entries`; used in SQL and error messages. */
  name: string;
  /** SQL condition: records belong to the collection whose id is in parameter `collection`. */
  existsSql(collection: string): string;
  /** Called in the transaction that updates a collection. */
  onCollectionUpdate?(tx: QueryHandle, before: Collection, after: Collection): Promise<void>;
  /** Called in the transaction that deletes a collection, before the deletion. The function that it returns is called after it. */
  onCollectionDelete?(
    services: Services,
    tx: QueryHandle,
    collection: Collection,
  ): Promise<() => Promise<void>>;
}

export const collectionDependents: CollectionDependent[] = [];

export const registerCollectionDependent = (dependent: CollectionDependent): void => {
  collectionDependents.push(dependent);
};
