/** The statement that finds one page of rows by filters, in any order, whether many fit or few. */
import { maxPageSize } from '../../lib/paging.ts';
import { type SortedSlice, sliceConditionsSql } from './sorted-page.ts';

/** Where the rows of a list come from, in SQL. */
export interface PageSource {
  /** What is walked. */
  from: string;
  /** What brings the record to it, if it is not the record itself. */
  join: string;
  id: string;
  key: string;
  /** The column that is the key, where a filter may ask for a part of it. */
  column: string;
  /** The type of the key, for what a cursor brings. */
  type: string;
  conditions: readonly string[];
  /** Where the order is not walked, the owner by itself: of a range the planner thinks that it is small. */
  ownerConditions: readonly string[];
  /** What bounds the list where no cursor does, and the conditions do not: its beginning and its end. */
  rangeBounds?: readonly [first: string, last: string];
  /** They follow those of the filters. */
  params: readonly unknown[];
  descending: boolean;
}

const aliasOf = (table: string) => table.split(' ').at(-1) ?? table;

/** The owner leads the order, so that only an index which begins with the owner will do (see owned-page.ts). */
export function pageSourceByAge(
  table: string,
  ownerColumn: string,
  descending: boolean,
  param = '$1',
): PageSource {
  const alias = aliasOf(table);
  const owner = `${alias}.${ownerColumn}`;
  const [atMost, atLeast] = [`${owner} <= ${param}`, `${owner} >= ${param}`] as const;
  return {
    from: table,
    join: '',
    id: `${alias}.id`,
    key: owner,
    column: 'id',
    type: 'uuid',
    conditions: [],
    ownerConditions: [`${owner} = ${param}`],
    rangeBounds: descending ? [atMost, atLeast] : [atLeast, atMost],
    params: [],
    descending,
  };
}

export interface PageQuerySpec {
  /** The records under their alias, such as `products p`. */
  table: string;
  /** The column that holds the owner, who is the first parameter. */
  owner: string;
  /** What is told of each beside `sort_key`; `id` is among it. */
  columns: string;
  source: PageSource;
  params: readonly unknown[];
  /** Conditions on the key, a part of the walk. */
  keyConditions: readonly string[];
  /** The other conditions where all that fit are looked for, and where the record of `k` is looked at. */
  setConditions: readonly string[];
  probeConditions: readonly string[];
  /** The planner may look for them its own way: they are few, or nothing narrows them. */
  isSelective: boolean;
  isUnfiltered: boolean;
  /** So many rows are looked at one by one before the database is left to find the few that are asked for. */
  scanSizes: readonly number[];
}

const where = (conditions: readonly string[]) =>
  conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';

/** The rows come by `sort_key` and `id` in that direction; a statement around it has to say so again. */
export function buildPageQuery(
  {
    table,
    owner,
    columns,
    source,
    params: filters,
    keyConditions: own,
    setConditions: sets,
    probeConditions: probes,
    isSelective: isNarrow,
    isUnfiltered: isPlain,
    scanSizes: walks,
  }: PageQuerySpec,
  slice: SortedSlice,
  limit: number,
): { text: string; direction: string; params: unknown[] } {
  const { from, join, id, key, rangeBounds: ends } = source;
  const alias = aliasOf(table);
  const place = filters.length + source.params.length + 1;
  const { after, before, direction, params } = sliceConditionsSql(source, slice, place + 1);
  const said = (conditions: readonly (string | undefined)[]) => conditions.filter((one) => one !== undefined);
  const cursors = said([after, before]);
  const range = [...source.conditions, ...own, ...said([after ?? ends?.[0], before ?? ends?.[1]])];
  const found = {
    direction,
    params: [...filters, ...source.params, limit, ...params],
  };
  const inOrder = `order by ${key} ${direction}, ${id} ${direction}`;
  // The fixed limit tells the planner how little is wanted: of a parameter it thinks much more.
  const atMost = `limit ${maxPageSize + 1}) page limit $${place}`;
  const told = `${columns}, ${key} as sort_key`;
  if (isPlain)
    return {
      ...found,
      text: `select * from (select ${told} from ${from} ${join} ${where([...range, ...sets])} ${inOrder} ${atMost}`,
    };

  // All that fit, then their order: nothing is gained here by looking for them in order.
  const far = (unless: readonly string[]) =>
    `select * from (select * from (select ${told} from ${from} ${join} ${where([...source.ownerConditions, ...own, ...cursors, ...sets, ...unless])} offset 0) fitting order by sort_key ${direction}, id ${direction} ${atMost}`;
  if (isNarrow) return { ...found, text: far([]) };

  const walk = (steps: number, unless: readonly string[]) =>
    `select * from (select ${columns}, k.sort_key
      from (select ${id} as id, ${key} as sort_key from ${from} ${where([...range, ...unless])} ${inOrder} limit ${steps}) k
      join ${table} on ${alias}.${owner} = $1 and ${alias}.id = k.id ${where(probes)} order by k.sort_key ${direction}, k.id ${direction} ${atMost}`;
  const lacks = (name: string) => `(select count(*) from ${name}) < $${place}`;
  // Where many fit, the first rows of a walk are the page; where few do, the indexes of the filters find them.
  const parts = walks.map((steps, index) => {
    const last = `walk${index - 1}`;
    // A longer walk is worth its steps only if the page is likely to be on its way.
    const promising = `(select count(*) from ${last}) * ${Math.ceil(steps / (walks[index - 1] ?? steps))} >= $${place}`;
    return { name: `walk${index}`, text: walk(steps, index === 0 ? [] : [lacks(last), promising]) };
  });
  return {
    ...found,
    text: `with ${parts.map(({ name, text }) => `${name} as materialized (${text})`).join(', ')},
      far as (${far(parts.map(({ name }) => lacks(name)))})
      ${parts.map(({ name }) => `select * from ${name} where not ${lacks(name)} union all `).join('')} select * from far`,
  };
}
