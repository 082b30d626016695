/**
 * Whether this is the database that was here before. One that was restored goes on from an earlier moment: versions that it had given
 * since were seen by clients, and must not come again with other content. The database itself skips them (prisma/migrations,
 * `versions_never_again`) as soon as it was met; nobody writes on a connection before.
 */
import { skipVersionsTo } from '../lib/version.ts';

type Ask = (text: string) => Promise<{ rows: unknown[] }>;

const undefinedFunction = '42883';

/** Before the migration there is nothing to meet. */
export async function meetDatabase(ask: Ask): Promise<void> {
  try {
    const { rows } = await ask('SELECT "meet_database"() AS least');
    skipVersionsTo((rows as { least: number }[])[0]?.least ?? 1);
  } catch (error) {
    if ((error as { code?: unknown }).code !== undefinedFunction) throw error;
  }
}

/** For a database that has just been put back from a backup of the same place, which cannot tell by itself. */
export const wasRestored = `UPDATE "lineage" SET "identity" = 'restored'; SELECT "meet_database"()`;
