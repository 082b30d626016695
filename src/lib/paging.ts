/** Keyset paging, forwards and backwards: a page is a slice from a key on, and a cursor is that key, bound to its list. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { validationError } from '../errors.ts';
import { HiddenProperty } from './cache/hidden-property.ts';
import { createNamedLru } from './cache/named-lru.ts';
import { cacheRendersOf } from './cache/record-cache.ts';
import { cappedJsonSize } from './json/json-size.ts';

export interface PageArgs {
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}

export interface Page<T> {
  nodes: readonly T[];
  hasNextPage: boolean;
  /** Looked up only when it is asked for and cannot be known otherwise. */
  hasPreviousPage(): boolean | Promise<boolean>;
  /** Called only when edges or the end cursor are asked for. */
  cursorOf(node: T): string;
  /** Called only when the total is asked for. */
  totalCount(): Promise<number>;
}

const defaultPageSize = 20;
export const maxPageSize = 100;

const macBytes = 6;

/** Whoever walks through a list sends back what was made a moment ago. */
const macs = new WeakMap<Uint8Array, ReturnType<typeof createNamedLru<Buffer>>>();
const maxMacs = 5000;
/** Longer than any key of a list: nobody fills the memory with keys of their own. */
const maxKeyLength = 200;

function macOf(secret: Uint8Array, text: string): Buffer {
  const known = macs.get(secret) ?? createNamedLru<Buffer>('cursors', maxMacs);
  macs.set(secret, known);
  let mac = known.get(text);
  if (!mac) {
    mac = createHmac('sha256', secret).update(text).digest().subarray(0, macBytes);
    if (text.length <= maxKeyLength) known.set(text, mac);
  }
  return mac;
}

/** Makes and reads the cursors of one list, for example `products:<businessId>`. */
export function createCursorCodec(secret: Uint8Array, list: string) {
  const mac = (key: string) => macOf(secret, `${list}\n${key}`);
  return {
    encode: (key: string): string => Buffer.concat([mac(key), Buffer.from(key)]).toString('base64url'),
    decode(cursor: string, field: string): string {
      const bytes = Buffer.from(cursor, 'base64url');
      const key = bytes.subarray(macBytes).toString();
      const genuine = bytes.length > macBytes && timingSafeEqual(bytes.subarray(0, macBytes), mac(key));
      if (!genuine) {
        throw validationError({
          field,
          error: 'INVALID_CURSOR',
          message: 'The cursor is not one of this list.',
        });
      }
      return key;
    },
  };
}

/** What lies between two keys of a list, from its beginning or, backwards, from its end. */
export interface Slice {
  after?: string | undefined;
  before?: string | undefined;
  backward: boolean;
}

export interface KeysetPageOptions<T extends object> {
  secret: Uint8Array;
  list: string;
  args: PageArgs;
  keyOf(node: T): string;
  /** Fetches at most `limit` nodes of a slice: its first ones, or backwards its last ones, the very last of them first. */
  fetch(slice: Slice, limit: number): Promise<readonly T[]>;
  count(): Promise<number>;
}

export async function loadPage<T extends object>({
  secret,
  list,
  args,
  keyOf,
  fetch,
  count,
}: KeysetPageOptions<T>): Promise<Page<T>> {
  const limit = limitOf(args);
  const { encode, decode } = createCursorCodec(secret, list);
  const slice: Slice = {
    after: args.after ? decode(args.after, 'after') : undefined,
    before: args.before ? decode(args.before, 'before') : undefined,
    backward: isBackward(args),
  };
  const found = await fetch(slice, limit + 1);
  const known = pages.get(found) as Page<T> | undefined;
  if (known) return known;
  const kept = found.slice(0, Math.min(limit, fittingCount(found)));
  const isMore = found.length > kept.length || cutShort.has(found);
  const nodes = slice.backward ? [...kept].reverse() : kept;
  // Beyond an empty slice is whatever the list has.
  const beyond = async (edge: T | undefined, backward: boolean) => {
    const key = edge && keyOf(edge);
    return (await fetch(backward ? { before: key, backward } : { after: key, backward }, 1)).length > 0;
  };
  const hasNextPage =
    !slice.backward && isMore ? true : slice.before ? await beyond(nodes.at(-1), false) : false;
  const made = cacheRendersOf<Page<T>>({
    nodes,
    hasNextPage,
    hasPreviousPage: () => (slice.backward && isMore ? true : slice.after ? beyond(nodes[0], true) : false),
    cursorOf: (node) => encode(keyOf(node)),
    totalCount: count,
  });
  pages.set(found, made);
  return made;
}

/** Whoever says what a page comes before wants the one right before it. */
const isBackward = ({ first, last, before }: PageArgs) =>
  isSent(last) || (isSent(before) && before !== '' && !isSent(first));

const isSent = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

function limitOf({ first, last }: PageArgs): number {
  if (isSent(first) && isSent(last))
    throw validationError({
      field: 'last',
      error: 'INVALID_VALUE',
      message: 'Send first or last, not both.',
    });
  return isSent(last) ? parsePageSize(last, 'last') : parsePageSize(first);
}

/** The condition on the key of a list and the order of its rows, for the lists that Prisma reads. */
export function keysetRange(
  { after, before, backward }: Slice,
  order: 'asc' | 'desc',
): { range: { gt?: string; lt?: string }; direction: 'asc' | 'desc' } {
  const [below, above] = order === 'desc' ? [after, before] : [before, after];
  return {
    range: { ...(above === undefined ? {} : { gt: above }), ...(below === undefined ? {} : { lt: below }) },
    direction: backward === (order === 'desc') ? 'asc' : 'desc',
  };
}

/** A page of long records ends early, after this many bytes: it has to fit into an answer, and into a moment. */
export const maxPageBytes = 1_000_000;

function fittingCount(nodes: readonly object[]): number {
  let room = maxPageBytes;
  for (const [index, node] of nodes.entries()) {
    room -= cappedJsonSize(node, maxPageBytes);
    if (room < 0) return Math.max(1, index);
  }
  return nodes.length;
}

/** What was fetched, when more follows that was not because it is too long. */
const cutShort = new WeakSet<readonly unknown[]>();

export function markTruncated<T>(nodes: readonly T[]): readonly T[] {
  cutShort.add(nodes);
  return nodes;
}

/** Who was given the same nodes asked the same question: they share the page, too. */
const pages = new HiddenProperty<readonly unknown[], unknown>();

export function parsePageSize(first: number | null | undefined, field = 'first'): number {
  if (first === null || first === undefined) return defaultPageSize;
  if (first < 1)
    throw validationError({ field, error: 'TOO_SMALL', message: 'The page size must be at least 1.' });
  return Math.min(first, maxPageSize);
}
