/** Records of a page: where their rows are read from, and how the rows become nodes. */
import type { Db } from '../handles.ts';

export interface PageRecordsDefinition<Row, T, Params extends readonly unknown[]> {
  /** Select list. */
  readonly columns: string;
  /** Table with its alias, such as `orders o`. */
  readonly table: string;
  /** Nodes of rows. Requests of several viewers that send the same statement with the same parameters in one tick share the result. */
  toNodes(rows: readonly Row[], params: Params, db: Db): readonly T[] | Promise<readonly T[]>;
}

declare const isDefined: unique symbol;

/** Created by `definePageRecords` only. */
export interface PageRecords<Row, T, Params extends readonly unknown[]>
  extends PageRecordsDefinition<Row, T, Params> {
  readonly [isDefined]: true;
}

/**
 * Defines the records of a page. Called at module level, where no request is in scope, so that `toNodes` depends only on the rows and on
 * the parameters of the statement (test/contract/import-directions.test.ts).
 */
export const definePageRecords = <
  Row extends object,
  T extends { id: string },
  Params extends readonly unknown[],
>(
  definition: PageRecordsDefinition<Row, T, Params>,
): PageRecords<Row, T, Params> => definition as PageRecords<Row, T, Params>;
