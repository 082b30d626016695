/**
 * Restore guard: keeps record versions unique after a restore. A restored database continues from an earlier state, while clients have
 * already seen later versions; the same version numbers must not return with other content. The SQL function `register_database`
 * detects a restored or promoted server and raises the minimum version; no connection writes before it has run.
 */
type RunQuery = (text: string) => Promise<{ rows: unknown[] }>;

const [undefinedTable, undefinedFunction] = ['42P01', '42883'];
const registerSql = (name: string) =>
  `SELECT "${name}"() AS least, current_setting('transaction_read_only') = 'off' AS writes`;
const minVersionSql = 'SELECT "least_version" AS least FROM "lineage"';

export interface RestoreGuard {
  /** Call before the first write. False on a read-only server: call again once it accepts writes. */
  registerDatabase(query: RunQuery): Promise<boolean>;
  /** For the embedded database, which only `duet restore` restores: registering it would add 250 ms to every start. */
  loadMinVersion(query: RunQuery): Promise<void>;
  /** Version that a change gives to a record. Computed here too, so that responses match what the trigger writes. */
  nextVersion(version: number): number;
}

export function createRestoreGuard(): RestoreGuard {
  let minVersion = 1;
  /** Returns undefined when the table or function is `missing`: the migration that creates it has not run yet. */
  async function readMinVersion(query: RunQuery, text: string, missing: string) {
    const rows = await query(text).then(
      (result) => result.rows,
      (error: { code?: unknown }) => {
        if (error.code !== missing) throw error;
        return [];
      },
    );
    const [row] = rows as { least: number; writes?: boolean }[];
    minVersion = row?.least ?? minVersion;
    return row;
  }
  return {
    async registerDatabase(query) {
      const row =
        (await readMinVersion(query, registerSql('register_database'), undefinedFunction)) ??
        // Not migrated yet: the previous version's name of the function.
        (await readMinVersion(query, registerSql('meet_database'), undefinedFunction));
      return row?.writes ?? true;
    },
    loadMinVersion: async (query) => void (await readMinVersion(query, minVersionSql, undefinedTable)),
    nextVersion: (version) => Math.max(version + 1, minVersion),
  };
}

/** Marks a database restored from a backup of the same server, which `register_database` cannot detect by itself. */
export const markDatabaseRestoredSql = `UPDATE "lineage" SET "identity" = 'restored'; SELECT "register_database"()`;
