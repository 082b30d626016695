/** Keyset paging: a page is a slice below a key, and a cursor is that key, bound to its list. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalid } from '../errors.ts';
import { sizeOf } from './json-size.ts';
import { keepBriefly } from './kept.ts';

export interface PageArgs {
  first?: number | null | undefined;
  after?: string | null | undefined;
}

export interface Page<T> {
  nodes: readonly T[];
  hasNextPage: boolean;
  /** Called only when edges or the end cursor are asked for. */
  cursorOf(node: T): string;
  /** Called only when the total is asked for. */
  totalCount(): Promise<number>;
}

const defaultPageSize = 20;
export const maxPageSize = 100;

const macBytes = 6;

/** Makes and reads the cursors of one list, for example `products:<businessId>`. */
export function cursors(secret: Uint8Array, list: string) {
  const mac = (key: string) =>
    createHmac('sha256', secret).update(`${list}\n${key}`).digest().subarray(0, macBytes);
  return {
    encode: (key: string): string => Buffer.concat([mac(key), Buffer.from(key)]).toString('base64url'),
    decode(cursor: string): string {
      const bytes = Buffer.from(cursor, 'base64url');
      const key = bytes.subarray(macBytes).toString();
      const genuine = bytes.length > macBytes && timingSafeEqual(bytes.subarray(0, macBytes), mac(key));
      if (!genuine) {
        throw invalid({
          field: 'after',
          error: 'INVALID_CURSOR',
          message: 'The cursor is not one of this list.',
        });
      }
      return key;
    },
  };
}

export interface PageRequest<T> {
  secret: Uint8Array;
  list: string;
  args: PageArgs;
  keyOf(node: T): string;
  /** Fetches at most `limit` nodes that follow `after`. */
  fetch(after: string | undefined, limit: number): Promise<readonly T[]>;
  count(): Promise<number>;
}

export async function page<T>({ secret, list, args, keyOf, fetch, count }: PageRequest<T>): Promise<Page<T>> {
  const limit = pageSize(args.first);
  const { encode, decode } = cursors(secret, list);
  const found = await fetch(args.after ? decode(args.after) : undefined, limit + 1);
  let made = pages.get(found) as Page<T> | undefined;
  if (!made) {
    const nodes = found.slice(0, Math.min(limit, fittingCount(found)));
    made = keepBriefly({
      nodes,
      hasNextPage: found.length > nodes.length || cutShort.has(found),
      cursorOf: (node) => encode(keyOf(node)),
      totalCount: count,
    });
    pages.set(found, made);
  }
  return made;
}

/** A page of long records ends early, after this many bytes: it has to fit into an answer, and into a moment. */
export const maxPageBytes = 1_000_000;

function fittingCount(nodes: readonly unknown[]): number {
  let room = maxPageBytes;
  for (const [index, node] of nodes.entries()) {
    room -= sizeOf(node as object, maxPageBytes);
    if (room < 0) return Math.max(1, index);
  }
  return nodes.length;
}

/** What was fetched, when more follows that was not because it is too long. */
const cutShort = new WeakSet<readonly unknown[]>();

export function markCutShort<T>(nodes: readonly T[]): readonly T[] {
  cutShort.add(nodes);
  return nodes;
}

/** Who was given the same nodes asked the same question: they share the page, too. */
const pages = new WeakMap<readonly unknown[], unknown>();

export function pageSize(first: number | null | undefined): number {
  if (first === null || first === undefined) return defaultPageSize;
  if (first < 1)
    throw invalid({ field: 'first', error: 'TOO_SMALL', message: 'The page size must be at least 1.' });
  return Math.min(first, maxPageSize);
}
