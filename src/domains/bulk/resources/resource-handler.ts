/** What a kind of record needs to be imported and exported: its columns, its pages, and what is done with a line. */
import type { Context } from '../../../context.ts';
import type { Page, PageArgs } from '../../../lib/paging.ts';

/** How a field stands in a cell of CSV; `onlyTold`: exported, and ignored when it is imported. */
export type ColumnType = 'text' | 'json' | 'number' | 'onlyTold';

export type RecordFields = Readonly<Record<string, unknown>>;

/** Where records are read and written: the business, and the collection if one was named. */
export interface BulkTarget {
  businessId: string;
  collectionId: string | undefined;
}

/** `ctx` writes: its first transaction also says that the line is done. `reading` only looks. */
export interface ImportLine {
  ctx: Context;
  readCtx: Context;
  fields: RecordFields;
}

export interface ResourceHandler {
  /** In the order in which an export has them. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Each line takes what others wait for, such as the next number, until its transaction ends: no two lines share one. */
  readonly oneLinePerTransaction?: boolean;
  page(ctx: Context, target: BulkTarget, args: PageArgs): Promise<Page<RecordFields>>;
  apply(line: ImportLine, target: BulkTarget): Promise<unknown>;
}

/** The page with its records as lines. */
export const toRecordFieldsPage = async <T extends object>(
  found: Promise<Page<T>>,
  toFields: (record: T) => RecordFields,
): Promise<Page<RecordFields>> => {
  const page = await found;
  const recordOf = new Map(page.nodes.map((record) => [toFields(record), record]));
  return {
    ...page,
    nodes: [...recordOf.keys()],
    cursorOf: (fields) => page.cursorOf(recordOf.get(fields) as T),
  };
};
