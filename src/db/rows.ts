/** Plain inserts for records that need no SQL of their own. Columns are the fields in snake case. */
import type { Queries } from './sql.ts';

/** Returns the new row with its fields in camel case, or undefined when a unique key is taken. Documents come as JSON text. */
export async function insertRow<Row>(
  queries: Queries,
  table: string,
  values: Readonly<Record<string, unknown>>,
): Promise<Row | undefined> {
  const fields = Object.keys(values);
  const columns = fields.map(toSnake).join(', ');
  const params = fields.map((_field, index) => `$${index + 1}`).join(', ');
  const [row] = await queries.sql<Record<string, unknown>>(
    `insert into ${table} (${columns}) values (${params}) on conflict do nothing returning *`,
    Object.values(values),
  );
  return row && (toCamelFields(row) as Row);
}

const toSnake = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const toCamelFields = (row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
