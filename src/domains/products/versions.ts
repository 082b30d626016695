/**
 * Products this process has read, by id and version. A version never changes its content (every edit and every
 * stock move makes a new one), so the database only has to say which version is current. Nothing here expires by time.
 */
import { LRUCache } from 'lru-cache';
import type { Db } from '../../db/sql.ts';
import type { Product } from './model.ts';

export interface ProductVersions {
  get(id: string, version: number): Product | undefined;
  /** The version at hand. */
  latest(id: string): Product | undefined;
  keep(product: Product): Product;
}

const maxProducts = 5000;
/** Each belongs to one database: tests run many in one process. */
const caches = new WeakMap<Db, ProductVersions>();

export function productVersions(db: Db): ProductVersions {
  let versions = caches.get(db);
  if (!versions) {
    versions = createVersions();
    caches.set(db, versions);
  }
  return versions;
}

function createVersions(): ProductVersions {
  const products = new LRUCache<string, Product>({ max: maxProducts });
  return {
    get(id, version) {
      const product = products.get(id);
      return product?.version === version ? product : undefined;
    },
    latest: (id) => products.get(id),
    keep(product) {
      products.set(product.id, product);
      return product;
    },
  };
}
