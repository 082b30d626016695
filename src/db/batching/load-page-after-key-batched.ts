/** Batches pages of one list that begin after different keys: the pages of one tick are read by one statement. */
import type { Db } from '../handles.ts';
import { createBatcher, PerTickMap } from './tick-batching.ts';

type Reader = Pick<Db, 'shortRead' | 'batching'>;
type Rows<Row> = readonly Row[];
type LoadPage = (after: string) => Promise<Rows<unknown>>;

/** Pages per statement: more would take too long for a short read. */
const maxBatchedPages = 32;

const loadersByList = new PerTickMap<LoadPage>();

/** `text` reads a page, newest first; its last parameter is the key after which the page begins. The rows are shared: do not modify them. */
export function loadPageAfterKeyBatched<Row extends object>(
  db: Reader,
  text: string,
  params: readonly unknown[],
  after: string,
): Promise<Rows<Row>> {
  if (!db.batching) return db.shortRead<Row>(text, [...params, after]);
  const load = loadersByList.getOrCreate(db, text, params, () =>
    createBatcher(db, (keys) => pagesAfter(db, text, params, keys)),
  );
  return load(after) as Promise<Rows<Row>>;
}

async function pagesAfter(
  db: Reader,
  text: string,
  params: readonly unknown[],
  keys: readonly string[],
): Promise<Rows<object>[]> {
  const distinctKeys = [...new Set(keys)];
  const reads: Promise<Rows<object>[]>[] = [];
  for (let at = 0; at < distinctKeys.length; at += maxBatchedPages) {
    const batch = distinctKeys.slice(at, at + maxBatchedPages);
    reads.push(
      batch.length === 1 ? readOne(db, text, [...params, batch[0]]) : readBatch(db, text, params, batch),
    );
  }
  const pages = (await Promise.all(reads)).flat();
  const pageOf = new Map(distinctKeys.map((key, index) => [key, pages[index] ?? []]));
  return keys.map((key) => pageOf.get(key) ?? []);
}

const readOne = async (db: Reader, text: string, params: readonly unknown[]) => [
  await db.shortRead<object>(text, params),
];

async function readBatch(
  db: Reader,
  text: string,
  params: readonly unknown[],
  keys: readonly string[],
): Promise<object[][]> {
  const keyParam = params.length + 1;
  const pageSql = text.replace(new RegExp(`\\$${keyParam}(?!\\d)`, 'g'), 'q.after');
  const statement = `select q.n::int as of_page, found.* from unnest($${keyParam}::uuid[]) with ordinality as q(after, n)
    cross join lateral (${pageSql}) found order by q.n, found.id desc`;
  const pages = keys.map((): object[] => []);
  for (const row of await db.shortRead<{ of_page: number }>(statement, [...params, keys]))
    pages[row.of_page - 1]?.push(row);
  return pages;
}
