/** What a kind of record needs to be imported and exported: its columns, its pages, and what is done with a line. */
import type { Context } from '../../context.ts';
import type { Page, PageArgs } from '../../lib/paging.ts';

/** How a field stands in a cell of CSV; `onlyTold`: exported, and ignored when it is imported. */
export type Column = 'text' | 'json' | 'number' | 'onlyTold';

export type Fields = Readonly<Record<string, unknown>>;

/** Where records are read and written: the business, and the collection if one was named. */
export interface Target {
  businessId: string;
  collectionId: string | undefined;
}

/** `ctx` writes: its first transaction also says that the line is done. `reading` only looks. */
export interface Line {
  ctx: Context;
  reading: Context;
  fields: Fields;
}

export interface Resource {
  /** In the order in which an export has them. */
  readonly columns: Readonly<Record<string, Column>>;
  /** Each line takes what others wait for, such as the next number, until its transaction ends: no two lines share one. */
  readonly isAlone?: boolean;
  page(ctx: Context, target: Target, args: PageArgs): Promise<Page<Fields>>;
  apply(line: Line, target: Target): Promise<unknown>;
}

/** The page with its records as lines. */
export const pageOfLines = async <T extends object>(
  found: Promise<Page<T>>,
  toFields: (record: T) => Fields,
): Promise<Page<Fields>> => {
  const page = await found;
  const recordOf = new Map(page.nodes.map((record) => [toFields(record), record]));
  return {
    ...page,
    nodes: [...recordOf.keys()],
    cursorOf: (fields) => page.cursorOf(recordOf.get(fields) as T),
  };
};
