/** Interface of a record type for import and export: columns, pages for the export, and the import of a line. */
import type { Context } from '../../../context.ts';
import type { Page, PageArgs } from '../../../lib/paging.ts';

/** Encoding of a field in a CSV cell. `exportOnly` fields are exported, and ignored by an import. */
export type BulkColumnType = 'text' | 'json' | 'number' | 'exportOnly';

export type BulkRecordFields = Readonly<Record<string, unknown>>;

/** Business, and the collection if one was specified. */
export interface BulkBusinessAndCollection {
  businessId: string;
  collectionId: string | undefined;
}

/** `ctx` is for writes: its first transaction also advances the progress. `readCtx` is for reads only. */
interface BulkImportLine {
  ctx: Context;
  readCtx: Context;
  fields: BulkRecordFields;
}

export interface BulkResourceHandler {
  /** In the order of the exported columns. */
  readonly columns: Readonly<Record<string, BulkColumnType>>;
  /** Imports each line in its own transaction, because a line locks something that other requests need, such as the order number sequence. */
  readonly oneLinePerTransaction?: boolean;
  page(ctx: Context, target: BulkBusinessAndCollection, args: PageArgs): Promise<Page<BulkRecordFields>>;
  apply(line: BulkImportLine, target: BulkBusinessAndCollection): Promise<unknown>;
}

/** Converts the records of a page to record fields; cursors stay valid. */
export const toBulkRecordPage = async <T extends object>(
  recordPage: Promise<Page<T>>,
  toFields: (record: T) => BulkRecordFields,
): Promise<Page<BulkRecordFields>> => {
  const page = await recordPage;
  const recordOf = new Map(page.nodes.map((record) => [toFields(record), record]));
  return {
    ...page,
    nodes: [...recordOf.keys()],
    cursorOf: (fields) => page.cursorOf(recordOf.get(fields) as T),
  };
};
