/** The tables whose rows a move copies: all that name a business, by the catalogue of the server. */
import type { MaintenanceConnection } from '../../db/postgres/maintenance-connection.ts';

export interface BusinessTable {
  readonly name: string;
  /** Column with the id of the business. */
  readonly businessColumn: string;
  readonly columns: readonly string[];
  readonly primaryKey: readonly string[];
  readonly hasGeneratedColumns: boolean;
}

/** Rows about businesses of other servers, purges that the source itself has to send, and payments of the sandbox, which are on the home server. */
const tablesOfServers = [
  'business_moves',
  'business_placements',
  'business_write_fences',
  'cache_purges',
  'sandbox_payments',
  'sandbox_subscriptions',
];

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const quoteNames = (names: readonly string[]): string => names.map(quoteName).join(', ');

/** Condition for the rows of a business. The id is a literal, because publications accept no parameters. */
export function buildBusinessCondition(
  { businessColumn }: Pick<BusinessTable, 'businessColumn'>,
  id: string,
): string {
  if (!/^[0-9a-f-]{36}$/.test(id)) throw new Error('The id of a business is a UUID in lower case.');
  return `${quoteName(businessColumn)} = '${id}'`;
}

export const listBusinessTables = (connection: MaintenanceConnection): Promise<BusinessTable[]> =>
  connection.query<BusinessTable>(
    `SELECT c.relname AS "name", CASE c.relname WHEN 'businesses' THEN 'id' ELSE 'business_id' END AS "businessColumn",
       array(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
         ORDER BY a.attname) AS "columns",
       array(SELECT a.attname::text FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
         WHERE i.indrelid = c.oid AND i.indisprimary ORDER BY a.attname) AS "primaryKey",
       EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attgenerated <> '') AS "hasGeneratedColumns"
     FROM pg_class c
     WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND NOT c.relname::text = ANY ($1)
       AND (c.relname = 'businesses' OR EXISTS (SELECT FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attname = 'business_id' AND NOT a.attisdropped))
     ORDER BY c.relname`,
    [tablesOfServers],
  );
