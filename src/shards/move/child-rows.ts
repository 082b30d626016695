/** Child rows of earlier versions that name only their parent: the column of their business is filled before they are copied. */
import type { MaintenanceConnection } from '../../db/postgres/maintenance-connection.ts';
import type { Move } from './open-move.ts';

/** Parents first. Rows without one of these parents belong to no business. `$1`: the business. */
const childRows: readonly [table: string, condition: string][] = [
  ['bulk_errors', 'operation_id IN (SELECT id FROM bulk_operations WHERE business_id = $1)'],
  ['promo_claims', 'promo_code_id IN (SELECT id FROM promo_codes WHERE business_id = $1)'],
  ['entry_versions', 'entry_id IN (SELECT id FROM entries WHERE business_id = $1)'],
  ['entry_drafts', 'id IN (SELECT id FROM entries WHERE business_id = $1)'],
  ['media_unused', 'media_id IN (SELECT id FROM media WHERE business_id = $1)'],
  ['newsletter_recipients', 'send_id IN (SELECT id FROM newsletter_sends WHERE business_id = $1)'],
  [
    'payment_attempts',
    `(subject_id IN (SELECT id FROM orders WHERE business_id = $1)
      OR subject_id IN (SELECT id FROM subscriptions WHERE business_id = $1))`,
  ],
  ['refunds', 'attempt_id IN (SELECT id FROM payment_attempts WHERE business_id = $1)'],
  [
    'payment_events',
    `(split_part(reference, '#', 1) IN (SELECT reference FROM payment_attempts WHERE business_id = $1)
      OR payment_id IN (SELECT payment_id FROM payment_attempts WHERE business_id = $1))`,
  ],
  [
    'put_aside',
    `(id IN (SELECT id::text FROM refunds WHERE business_id = $1)
      OR id IN (SELECT id::text FROM webhook_deliveries WHERE business_id = $1))`,
  ],
];

export const childTables: readonly string[] = childRows.map(([table]) => table);

/** Child rows that still lack their business: the copy does not contain them. */
export async function findTablesWithoutBusiness(
  connection: MaintenanceConnection,
  businessId: string,
): Promise<string[]> {
  const tables: string[] = [];
  for (const [table, condition] of childRows) {
    const rows = await connection.query(
      `SELECT FROM ${table} WHERE business_id IS NULL AND ${condition} LIMIT 1`,
      [businessId],
    );
    if (rows.length > 0) tables.push(table);
  }
  return tables;
}

/** Without triggers: the change history contains changes of data only, and later rows get their business from the trigger. */
export async function fillBusinessIds({ businessId, source: { connection } }: Move): Promise<void> {
  await connection.query('SET session_replication_role = replica');
  try {
    for (const [table, condition] of childRows)
      await connection.query(
        `UPDATE ${table} SET business_id = $1 WHERE business_id IS NULL AND ${condition}`,
        [businessId],
      );
  } finally {
    await connection.query('RESET session_replication_role');
  }
}
