/** Lists the active operations, which a job resumes. */
import { buildWritableBusinessSql, type QueryHandle } from '../../../db/index.ts';
import { activeBulkOperationConditionSql } from './progress.ts';

const maxActiveIds = 100;

/** Active operations, least recently updated first. Plain SQL because it runs every minute: an idle gateway does not load Prisma. */
export async function listActiveBulkIds(queries: QueryHandle): Promise<string[]> {
  const rows = await queries.sql<{ id: string }>(
    `select id from bulk_operations o where ${activeBulkOperationConditionSql} and ${buildWritableBusinessSql('o.business_id')} order by updated_at limit ${maxActiveIds}`,
  );
  return rows.map(({ id }) => id);
}
