/** Per-request loaders: batched lookups by id, each id once per request. */
import DataLoader from 'dataloader';

/** Ids per statement. A response may need thousands, and one statement with all of them would occupy a connection for long. */
export const maxLoaderBatchSize = 500;

/** Keys to load with one of the requests that a request consists of. */
export interface PartOfKeys<Request> {
  readonly request: Request;
  readonly keys: readonly string[];
}

/** A request whose records are on several servers. */
interface PartitionedRequest<Request> {
  readonly servers?:
    | { partitionKeys(request: Request, keys: readonly string[]): Promise<PartOfKeys<Request>[]> | undefined }
    | undefined;
}

/** Creates a batched loader. There is one loader per request; the request is its context object. */
export function createPerRequestLoader<Request extends object, Value>(
  load: (request: Request, ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (request: Request, id: string) => Promise<Value | undefined> {
  async function loadParts(request: Request, ids: readonly string[]): Promise<ReadonlyMap<string, Value>> {
    const parts = (request as PartitionedRequest<Request>).servers?.partitionKeys(request, ids);
    if (!parts) return load(request, ids);
    const results = await Promise.allSettled((await parts).map((part) => load(part.request, part.keys)));
    const values = new Map(
      results.flatMap((result) => (result.status === 'fulfilled' ? [...result.value] : [])),
    );
    // A server that does not respond matters only for records that no other one has.
    for (const result of results)
      if (result.status === 'rejected' && ids.some((id) => !values.has(id))) throw result.reason;
    return values;
  }
  const loaderOf = memoizePerRequest<Request, DataLoader<string, Value | undefined>>(
    (request) =>
      new DataLoader(
        async (ids) => {
          const values = await loadParts(request, ids);
          return ids.map((id) => values.get(id));
        },
        { maxBatchSize: maxLoaderBatchSize },
      ),
  );
  return (request, id) => loaderOf(request).load(id);
}

/**
 * Creates a value on first use and stores it on the request. Not a WeakMap: a value that refers to its request would keep the request
 * alive until the next major GC.
 */
export function memoizePerRequest<Request extends object, Value>(
  create: (request: Request) => Value,
): (request: Request) => Value {
  const property = Symbol('memoized per request');
  return (request) => {
    const owner: Request & { [property]?: Value } = request;
    owner[property] ??= create(request);
    return owner[property];
  };
}
