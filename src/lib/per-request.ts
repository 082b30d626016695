/** Looks things up by id, once per request however many records ask. */
import DataLoader from 'dataloader';

/** Ids of one statement: an answer may ask for thousands, and a statement with all of them would hold a connection for long. */
export const maxBatchSize = 500;

/** One loader per request; the context is the request. */
export function perRequest<Request extends object, Value>(
  load: (request: Request, ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (request: Request, id: string) => Promise<Value | undefined> {
  const loaders = new WeakMap<Request, DataLoader<string, Value | undefined>>();
  return (request, id) => {
    let loader = loaders.get(request);
    if (!loader) {
      loader = new DataLoader(
        async (ids) => {
          const found = await load(request, ids);
          return ids.map((key) => found.get(key));
        },
        { maxBatchSize },
      );
      loaders.set(request, loader);
    }
    return loader.load(id);
  };
}
