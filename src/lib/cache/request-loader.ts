/** Looks things up by id, once per request however many records ask. */
import DataLoader from 'dataloader';

/** Ids of one statement: an answer may ask for thousands, and a statement with all of them would hold a connection for long. */
export const maxLoaderBatchSize = 500;

/** One loader per request; the context is the request. */
export function createRequestLoader<Request extends object, Value>(
  load: (request: Request, ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (request: Request, id: string) => Promise<Value | undefined> {
  const loaderOf = memoizePerRequest<Request, DataLoader<string, Value | undefined>>(
    (request) =>
      new DataLoader(
        async (ids) => {
          const found = await load(request, ids);
          return ids.map((key) => found.get(key));
        },
        { maxBatchSize: maxLoaderBatchSize },
      ),
  );
  return (request, id) => loaderOf(request).load(id);
}

/**
 * What is made for a request at its first use. The request itself keeps it: a weak map would keep what knows its request, and the
 * request with it, until the next full collection.
 */
export function memoizePerRequest<Request extends object, Value>(
  make: (request: Request) => Value,
): (request: Request) => Value {
  const place = Symbol('made for a request');
  return (request) => {
    const keeper: Request & { [place]?: Value } = request;
    keeper[place] ??= make(request);
    return keeper[place];
  };
}
