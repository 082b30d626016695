/** Keyset pagination, forwards and backwards. A cursor is the key of a row, signed for its list. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { validationError } from '../errors.ts';
import { HiddenProperty } from './cache/hidden-property.ts';
import { createNamedLru } from './cache/named-lru.ts';
import { attachRenderCache } from './cache/record-cache.ts';
import { remainingBytesAfterJson } from './json/response-size-limit.ts';

export interface PageArgs {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}

export interface Page<T> {
  nodes: readonly T[];
  hasNextPage: boolean;
  /** Runs a query only if the field is selected and the page itself does not determine it. */
  hasPreviousPage(): boolean | Promise<boolean>;
  /** Called only if edges or the end cursor are selected. */
  cursorOf(node: T): string;
  /** Called only if the total is selected. */
  totalCount(): Promise<number>;
}

const defaultPageSize = 20;
export const maxPageSize = 100;

const macBytes = 6;

/** Cache of cursor signatures: a client that pages through a list sends back a recent cursor. */
const macCaches = new WeakMap<Uint8Array, ReturnType<typeof createNamedLru<Buffer>>>();
const maxMacs = 5000;
/** Longer than any key of a list, so that forged cursors cannot fill the memory. */
const maxKeyLength = 200;

function macOf(secret: Uint8Array, text: string): Buffer {
  const cache = macCaches.get(secret) ?? createNamedLru<Buffer>('cursors', maxMacs);
  macCaches.set(secret, cache);
  let mac = cache.get(text);
  if (!mac) {
    mac = createHmac('sha256', secret).update(text).digest().subarray(0, macBytes);
    if (text.length <= maxKeyLength) cache.set(text, mac);
  }
  return mac;
}

/** Encodes and decodes the cursors of one list, for example `products:<businessId>`. */
export function createCursorCodec(secret: Uint8Array, list: string) {
  const mac = (key: string) => macOf(secret, `${list}\n${key}`);
  return {
    encode: (key: string): string => Buffer.concat([mac(key), Buffer.from(key)]).toString('base64url'),
    decode(cursor: string, field: string): string {
      const bytes = Buffer.from(cursor, 'base64url');
      const key = bytes.subarray(macBytes).toString();
      const isGenuine = bytes.length > macBytes && timingSafeEqual(bytes.subarray(0, macBytes), mac(key));
      if (!isGenuine) {
        throw validationError(field, 'INVALID_CURSOR', 'The cursor is not one of this list.');
      }
      return key;
    },
  };
}

/** Range between two keys of a list, read from its start, or from its end if `backward`. */
export interface KeyRange {
  after?: string | undefined;
  before?: string | undefined;
  backward: boolean;
}

interface KeysetPageOptions<T extends object> {
  secret: Uint8Array;
  list: string;
  args: PageArgs;
  /** Default: the id. */
  keyOf?(node: T): string;
  /** Fetches at most `limit` nodes of a slice: its first ones, or its last ones in reverse order if `backward`. */
  fetch(slice: KeyRange, limit: number): Promise<readonly T[]>;
  count(): Promise<number>;
}

export async function loadKeysetPage<T extends object>({
  secret,
  list,
  args,
  keyOf = idOf,
  fetch,
  count,
}: KeysetPageOptions<T>): Promise<Page<T>> {
  const limit = limitOf(args);
  const { encode, decode } = createCursorCodec(secret, list);
  const slice: KeyRange = {
    after: args.after ? decode(args.after, 'after') : undefined,
    before: args.before ? decode(args.before, 'before') : undefined,
    backward: isBackward(args),
  };
  const fetched = await fetch(slice, limit + 1);
  const sharedPage = pages.get(fetched) as Page<T> | undefined;
  if (sharedPage) return sharedPage;
  const pageRows = fetched.slice(0, Math.min(limit, fittingCount(fetched)));
  const isMore = fetched.length > pageRows.length || truncated.has(fetched);
  const nodes = slice.backward ? [...pageRows].reverse() : pageRows;
  // An empty page has no edge: any row of the list lies beyond it.
  const hasRowBeyond = async (edge: T | undefined, backward: boolean) => {
    const key = edge && keyOf(edge);
    return (await fetch(backward ? { before: key, backward } : { after: key, backward }, 1)).length > 0;
  };
  const hasNextPage =
    !slice.backward && isMore ? true : slice.before ? await hasRowBeyond(nodes.at(-1), false) : false;
  const page = attachRenderCache<Page<T>>({
    nodes,
    hasNextPage,
    hasPreviousPage: () =>
      slice.backward && isMore ? true : slice.after ? hasRowBeyond(nodes[0], true) : false,
    cursorOf: (node) => encode(keyOf(node)),
    totalCount: count,
  });
  pages.set(fetched, page);
  return page;
}

const idOf = (node: object) => (node as { id: string }).id;

/** `before` without `first` means the page directly before the cursor. */
const isBackward = ({ first, last, before }: PageArgs) =>
  isPresent(last) || (isPresent(before) && before !== '' && !isPresent(first));

const isPresent = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

function limitOf({ first, last }: PageArgs): number {
  if (isPresent(first) && isPresent(last))
    throw validationError('last', 'INVALID_VALUE', 'Send first or last, not both.');
  return isPresent(last) ? parsePageSize(last, 'last') : parsePageSize(first);
}

/** A page of long records ends early after this many bytes, to limit the size and the duration of a response. */
export const maxPageBytes = 1_000_000;

const sizes = new WeakMap<object, number>();

/** Estimated JSON size of an immutable record, at most `maxPageBytes`. Cached per record. */
function sizeOf(record: object): number {
  let size = sizes.get(record);
  if (size === undefined) {
    size = maxPageBytes - Math.max(0, remainingBytesAfterJson(record, maxPageBytes));
    sizes.set(record, size);
  }
  return size;
}

function fittingCount(nodes: readonly object[]): number {
  let room = maxPageBytes;
  for (const [index, node] of nodes.entries()) {
    room -= sizeOf(node);
    if (room < 0) return Math.max(1, index);
  }
  return nodes.length;
}

/** Results of `fetch` that end early because of their size, although more rows follow. */
const truncated = new WeakSet<readonly unknown[]>();

export function markPageTruncated<T>(nodes: readonly T[]): readonly T[] {
  truncated.add(nodes);
  return nodes;
}

/** Page by fetched nodes: requests that share the nodes sent the same query, and share the page too. */
const pages = new HiddenProperty<readonly unknown[], unknown>();

export function parsePageSize(first: number | null | undefined, field = 'first'): number {
  if (first === null || first === undefined) return defaultPageSize;
  if (first < 1) throw validationError(field, 'TOO_SMALL', 'The page size must be at least 1.');
  return Math.min(first, maxPageSize);
}
