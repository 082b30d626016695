/**
 * Whether this is the database that was here before. One that was restored goes on from an earlier moment: versions that it had given
 * since were seen by clients, and must not come again with other content. The database itself skips them (prisma/migrations,
 * `versions_never_again`) as soon as it was met; nobody writes on a connection before.
 */
type Ask = (text: string) => Promise<{ rows: unknown[] }>;

const [undefinedTable, undefinedFunction] = ['42P01', '42883'];
const meeting = `SELECT "meet_database"() AS least, current_setting('transaction_read_only') = 'off' AS writes`;
const knowing = 'SELECT "least_version" AS least FROM "lineage"';

export interface RestoreGuard {
  /** To be called before anything is written. False where nothing can be: then it is to be called again. */
  registerDatabase(ask: Ask): Promise<boolean>;
  /** For files of our own, which nobody but `duet restore` puts back: to meet them would take a quarter of a second at every start. */
  loadMinVersion(ask: Ask): Promise<void>;
  /** What a record of this version becomes by a change: known here so that we answer with what the database will write. */
  nextVersion(version: number): number;
}

export function createRestoreGuard(): RestoreGuard {
  let least = 1;
  /** Undefined before the migration: there is nothing to ask then. */
  async function answerTo(ask: Ask, text: string, missing: string) {
    const rows = await ask(text).then(
      (result) => result.rows,
      (error: { code?: unknown }) => {
        if (error.code !== missing) throw error;
        return [];
      },
    );
    const [met] = rows as { least: number; writes?: boolean }[];
    least = met?.least ?? least;
    return met;
  }
  return {
    registerDatabase: async (ask) => (await answerTo(ask, meeting, undefinedFunction))?.writes ?? true,
    loadMinVersion: async (ask) => void (await answerTo(ask, knowing, undefinedTable)),
    nextVersion: (version) => Math.max(version + 1, least),
  };
}

/** For a database that has just been put back from a backup of the same place, which cannot tell by itself. */
export const markRestoredSql = `UPDATE "lineage" SET "identity" = 'restored'; SELECT "meet_database"()`;
