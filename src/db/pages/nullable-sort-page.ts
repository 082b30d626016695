/** Pages by a value that not every row has: those that have it first, in its order, then the others by age. */
import type { Page } from '../../lib/paging.ts';
import { type FilteredPageQuery, loadPageByIdQuery } from './filtered-page.ts';
import type { PageReader } from './owned-page.ts';
import { buildPageQuery, type PageQuerySpec, type PageSource } from './page-query.ts';
import type { SortedSlice, SortPosition } from './sorted-page.ts';

export interface NullableSortPageQuery<Row, T> extends Omit<FilteredPageQuery<Row, T>, 'order'> {
  /** The rows that have the value, and all of them by age. */
  valuedSource: PageSource;
  agedSource: PageSource;
  /** The group in which the others are by age, which is the key of `aged`. */
  group: string;
  /** Which value is meant, after the other parameters. */
  valueParams: readonly unknown[];
  /** SQL: a row of `aged` has no value. */
  lacksValue: string;
}

export function loadNullableSortPage<Row extends { id: string }, T extends { id: string }>(
  reader: PageReader,
  rows: NullableSortPageQuery<Row, T>,
): Promise<Page<T>> {
  const { params, visibility: seen, conditions, agedSource: aged } = rows;
  const end = ` limit $${params.length + rows.valueParams.length + 1}`;
  const tests = [...(seen === undefined ? [] : [seen]), ...conditions.map(({ test }) => test)];
  return loadPageByIdQuery(reader, rows, [...aged.ownerConditions, ...tests], (slice, limit) => ({
    ...bothParts(rows, tests, slice, limit),
    nulls: ` nulls ${slice.backward ? 'first' : 'last'}`,
    end,
  }));
}

/** The statement of a page: of one part alone where the cursors leave no other, or of the second where the first is too short. */
function bothParts(
  rows: Omit<NullableSortPageQuery<never, never>, 'toNodes'>,
  tests: readonly string[],
  { after, before, backward }: SortedSlice,
  limit: number,
) {
  const isValued = (at: SortPosition | undefined) => at !== undefined && at[0] !== null;
  const isAged = (at: SortPosition | undefined) => at !== undefined && at[0] === null;
  const inGroup = (at: SortPosition | undefined): SortPosition | undefined =>
    at && isAged(at) ? [rows.group, at[1]] : undefined;
  const shared = { table: rows.table, owner: rows.owner, columns: `${rows.table.split(' ').at(-1)}.id` };
  const wanted = { ...shared, keyConditions: [], isSelective: rows.isSelective, scanSizes: [300, 1500] };
  const withValue = (params: readonly unknown[]) =>
    part(
      {
        ...wanted,
        source: rows.valuedSource,
        params,
        setConditions: tests,
        probeConditions: tests,
        isUnfiltered: rows.conditions.length === 0,
      },
      { after: isValued(after) ? after : undefined, before: isValued(before) ? before : undefined, backward },
      limit,
      'sort_key',
    );
  const isNowhere = isAged(after) && isValued(before);
  const without = [...tests, rows.lacksValue, ...(isNowhere ? ['false'] : [])];
  const withoutValue = (params: readonly unknown[]) =>
    part(
      {
        ...wanted,
        source: rows.agedSource,
        params,
        setConditions: without,
        probeConditions: without,
        isUnfiltered: false,
      },
      { after: inGroup(after), before: inGroup(before), backward },
      limit,
      'null::text collate "C" as sort_key',
    );
  const all = [...rows.params, ...rows.valueParams];
  if (isAged(after)) return withoutValue(all);
  if (isValued(before)) return withValue(all);
  const [near, far] = backward ? [withoutValue, withValue] : [withValue, withoutValue];
  const begun = near(all);
  const rest = far(begun.params);
  return {
    ...rest,
    text: `with near as materialized (${begun.text}) select * from near
      union all select * from (${rest.text}) far where (select count(*) from near) < $${all.length + 1}`,
  };
}

function part(wanted: PageQuerySpec, slice: SortedSlice, limit: number, key: string) {
  const { text, direction, params } = buildPageQuery(wanted, slice, limit);
  return { text: `select id, ${key} from (${text}) part`, direction, params };
}
