/** Registers the files of imports and exports with the storage quota of a business. They count until the retention job deletes them. */
import { registerStoredBytesCounter } from '../../shared/storage-and-record-quotas.ts';

registerStoredBytesCounter(async (queries, businessId) => {
  const [row] = await queries.sql<{ bytes: number }>(
    `select coalesce(sum(size + (select coalesce(sum((part ->> 'size')::bigint), 0) from jsonb_array_elements(parts) part)), 0)::bigint as bytes
     from bulk_operations where business_id = $1`,
    [businessId],
  );
  return row?.bytes ?? 0;
});
