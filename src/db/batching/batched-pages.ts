/** Pages of one list that begin at different keys: those asked for in one turn are read by one statement. */
import type { Db } from '../handles.ts';
import { createBatcher, TickMap } from './tick-batching.ts';

type Reader = Pick<Db, 'shortRead'>;
type Rows<Row> = readonly Row[];
type Ask = (after: string) => Promise<Rows<unknown>>;

/** More than these would take too long for a short statement. */
const maxTogether = 32;

const lists = new TickMap<Ask>();

/** `text` reads a page in its order, newest first; its last parameter is the key after which it begins. Its rows are shared. */
export function loadBatchedPage<Row extends object>(
  db: Reader,
  text: string,
  params: readonly unknown[],
  after: string,
): Promise<Rows<Row>> {
  const ask = lists.getOrCreate(db, text, params, () =>
    createBatcher((keys) => pagesAfter(db, text, params, keys)),
  );
  return ask(after) as Promise<Rows<Row>>;
}

async function pagesAfter(
  db: Reader,
  text: string,
  params: readonly unknown[],
  keys: readonly string[],
): Promise<Rows<object>[]> {
  const different = [...new Set(keys)];
  const read: Promise<Rows<object>[]>[] = [];
  for (let at = 0; at < different.length; at += maxTogether) {
    const some = different.slice(at, at + maxTogether);
    read.push(some.length === 1 ? readOne(db, text, [...params, some[0]]) : readSome(db, text, params, some));
  }
  const pages = (await Promise.all(read)).flat();
  const pageOf = new Map(different.map((key, place) => [key, pages[place] ?? []]));
  return keys.map((key) => pageOf.get(key) ?? []);
}

const readOne = async (db: Reader, text: string, params: readonly unknown[]) => [
  await db.shortRead<object>(text, params),
];

async function readSome(
  db: Reader,
  text: string,
  params: readonly unknown[],
  keys: readonly string[],
): Promise<object[][]> {
  const place = params.length + 1;
  const one = text.replace(new RegExp(`\\$${place}(?!\\d)`, 'g'), 'q.after');
  const statement = `select q.n::int as of_page, found.* from unnest($${place}::uuid[]) with ordinality as q(after, n)
    cross join lateral (${one}) found order by q.n, found.id desc`;
  const pages = keys.map((): object[] => []);
  for (const row of await db.shortRead<{ of_page: number }>(statement, [...params, keys]))
    pages[row.of_page - 1]?.push(row);
  return pages;
}
