/** Pages sorted by a nullable value: rows with a value first, in its order, then rows without one by age. */
import type { Page } from '../../lib/paging.ts';
import { type FilteredPageQuery, loadPageOfSelectedIds } from './filtered-page.ts';
import type { PageQueryContext } from './owned-page.ts';
import { buildPageQuery, type PageQuerySpec, type PageSource } from './page-query.ts';
import type { PageRecordSource } from './page-record-source.ts';
import type { SortedRange, SortPosition } from './sorted-page.ts';

interface NullableSortPageQuery<Row, T, Params extends readonly unknown[]>
  extends Omit<FilteredPageQuery<Row, T, Params>, 'order'> {
  /** Rows that have the value, in its order. */
  valuedSource: PageSource;
  /** All rows by age. */
  agedSource: PageSource;
  /** Key of `agedSource`, within which rows without a value are sorted by id. */
  group: string;
  /** Parameters of `valuedSource`, after those of the filters. */
  valueParams: readonly unknown[];
  /** SQL condition: a row of `agedSource` has no value. */
  lacksValue: string;
}

export function loadNullableSortPage<
  Row extends { id: string },
  T extends { id: string },
  Params extends readonly unknown[],
>(reader: PageQueryContext, rows: NullableSortPageQuery<Row, T, Params>): Promise<Page<T>> {
  const { params, visibility, conditions, agedSource } = rows;
  const end = ` limit $${params.length + rows.valueParams.length + 1}`;
  const tests = [...(visibility === null ? [] : [visibility]), ...conditions.map(({ test }) => test)];
  return loadPageOfSelectedIds(reader, rows, [...agedSource.ownerConditions, ...tests], (slice, limit) => ({
    ...combinedParts(rows, tests, slice, limit),
    nulls: ` nulls ${slice.backward ? 'first' : 'last'}`,
    end,
  }));
}

type PageTable = Pick<PageRecordSource<never, never, never>, 'table'>;

/** SQL of a page: one part alone if the cursors exclude the other, otherwise the first part, filled up from the second. */
function combinedParts(
  rows: Omit<NullableSortPageQuery<never, never, readonly unknown[]>, 'records'> & { records: PageTable },
  tests: readonly string[],
  { after, before, backward }: SortedRange,
  limit: number,
) {
  const hasValue = (at: SortPosition | undefined) => at !== undefined && at[0] !== null;
  const hasNoValue = (at: SortPosition | undefined) => at !== undefined && at[0] === null;
  const inGroup = (at: SortPosition | undefined): SortPosition | undefined =>
    at && hasNoValue(at) ? [rows.group, at[1]] : undefined;
  const { table } = rows.records;
  const shared = { table, owner: rows.owner, columns: `${table.split(' ').at(-1)}.id` };
  const spec = { ...shared, keyConditions: [], isSelective: rows.isSelective, scanSizes: [300, 1500] };
  const withValue = (params: readonly unknown[]) =>
    partQuery(
      {
        ...spec,
        source: rows.valuedSource,
        params,
        setConditions: tests,
        probeConditions: tests,
        isUnfiltered: rows.conditions.length === 0,
      },
      { after: hasValue(after) ? after : undefined, before: hasValue(before) ? before : undefined, backward },
      limit,
      'sort_key',
    );
  const isEmptyRange = hasNoValue(after) && hasValue(before);
  const withoutValueConditions = [...tests, rows.lacksValue, ...(isEmptyRange ? ['false'] : [])];
  const withoutValue = (params: readonly unknown[]) =>
    partQuery(
      {
        ...spec,
        source: rows.agedSource,
        params,
        setConditions: withoutValueConditions,
        probeConditions: withoutValueConditions,
        isUnfiltered: false,
      },
      { after: inGroup(after), before: inGroup(before), backward },
      limit,
      'null::text collate "C" as sort_key',
    );
  const allParams = [...rows.params, ...rows.valueParams];
  if (hasNoValue(after)) return withoutValue(allParams);
  if (hasValue(before)) return withValue(allParams);
  const [first, second] = backward ? [withoutValue, withValue] : [withValue, withoutValue];
  const firstPart = first(allParams);
  const secondPart = second(firstPart.params);
  return {
    ...secondPart,
    text: `with near as materialized (${firstPart.text}) select * from near
      union all select * from (${secondPart.text}) far where (select count(*) from near) < $${allParams.length + 1}`,
  };
}

function partQuery(spec: PageQuerySpec, slice: SortedRange, limit: number, key: string) {
  const { text, direction, params } = buildPageQuery(spec, slice, limit);
  return { text: `select id, ${key} from (${text}) part`, direction, params };
}
