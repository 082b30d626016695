/** Pages by a value that not every row has: those that have it first, in its order, then the others by age. */
import type { Page } from '../lib/paging.ts';
import { type FilteredRows, foundPage } from './filtered-page.ts';
import { findStatement, type Source, type Wanted } from './find-statement.ts';
import type { Reader } from './owned-page.ts';
import type { Position, SortedSlice } from './sorted-page.ts';

export interface ValuedRows<Row, T> extends Omit<FilteredRows<Row, T>, 'order'> {
  /** The rows that have the value, and all of them by age. */
  valued: Source;
  aged: Source;
  /** The group in which the others are by age, which is the key of `aged`. */
  group: string;
  /** Which value is meant, after the other parameters. */
  valueParams: readonly unknown[];
  /** SQL: a row of `aged` has no value. */
  lacksValue: string;
}

export function valuedPage<Row extends { id: string }, T extends { id: string }>(
  reader: Reader,
  rows: ValuedRows<Row, T>,
): Promise<Page<T>> {
  const { params, seen, conditions, aged } = rows;
  const end = ` limit $${params.length + rows.valueParams.length + 1}`;
  const tests = [...(seen === undefined ? [] : [seen]), ...conditions.map(({ test }) => test)];
  return foundPage(reader, rows, [...aged.owned, ...tests], (slice, limit) => ({
    ...bothParts(rows, tests, slice, limit),
    nulls: ` nulls ${slice.backward ? 'first' : 'last'}`,
    end,
  }));
}

/** The statement of a page: of one part alone where the cursors leave no other, or of the second where the first is too short. */
function bothParts(
  rows: Omit<ValuedRows<never, never>, 'toNodes'>,
  tests: readonly string[],
  { after, before, backward }: SortedSlice,
  limit: number,
) {
  const isValued = (at: Position | undefined) => at !== undefined && at[0] !== null;
  const isAged = (at: Position | undefined) => at !== undefined && at[0] === null;
  const inGroup = (at: Position | undefined): Position | undefined =>
    at && isAged(at) ? [rows.group, at[1]] : undefined;
  const shared = { table: rows.table, owner: rows.owner, columns: `${rows.table.split(' ').at(-1)}.id` };
  const wanted = { ...shared, own: [], isNarrow: rows.isNarrow, walks: [300, 1500] };
  const withValue = (params: readonly unknown[]) =>
    part(
      {
        ...wanted,
        source: rows.valued,
        params,
        sets: tests,
        probes: tests,
        isPlain: rows.conditions.length === 0,
      },
      { after: isValued(after) ? after : undefined, before: isValued(before) ? before : undefined, backward },
      limit,
      'sort_key',
    );
  const isNowhere = isAged(after) && isValued(before);
  const without = [...tests, rows.lacksValue, ...(isNowhere ? ['false'] : [])];
  const withoutValue = (params: readonly unknown[]) =>
    part(
      { ...wanted, source: rows.aged, params, sets: without, probes: without, isPlain: false },
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

function part(wanted: Wanted, slice: SortedSlice, limit: number, key: string) {
  const { text, direction, params } = findStatement(wanted, slice, limit);
  return { text: `select id, ${key} from (${text}) part`, direction, params };
}
