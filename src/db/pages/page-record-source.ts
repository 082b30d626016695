/** Sources of the records of a page: columns, table, and how rows become nodes. */
import type { Db } from '../handles.ts';

interface PageRecordSourceDefinition<Row, T, Params extends readonly unknown[]> {
  /** Select list. */
  readonly columns: string;
  /** Table with its alias, such as `orders o`. */
  readonly table: string;
  /** Nodes of rows. Requests of several viewers that send the same statement with the same parameters in one tick share the result. */
  toNodes(rows: readonly Row[], params: Params, db: Db): readonly T[] | Promise<readonly T[]>;
}

declare const isDefined: unique symbol;

/** Created by `definePageRecordSource` only. */
export interface PageRecordSource<Row, T, Params extends readonly unknown[]>
  extends PageRecordSourceDefinition<Row, T, Params> {
  readonly [isDefined]: true;
}

/**
 * Defines the records of a page. Called at module level, where no request is in scope, so that `toNodes` depends only on the rows and on
 * the parameters of the statement (test/contract/import-directions.test.ts).
 */
export const definePageRecordSource = <
  Row extends object,
  T extends { id: string },
  Params extends readonly unknown[],
>(
  definition: PageRecordSourceDefinition<Row, T, Params>,
): PageRecordSource<Row, T, Params> => definition as PageRecordSource<Row, T, Params>;
