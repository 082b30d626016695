/**
 * Whether this is the database that was here before. One that was restored goes on from an earlier moment: versions that it had given
 * since were seen by clients, and must not come again with other content. The database itself skips them (prisma/migrations,
 * `versions_never_again`) as soon as it was met; nobody writes on a connection before.
 */
type Ask = (text: string) => Promise<{ rows: unknown[] }>;

const undefinedFunction = '42883';
const meeting = `SELECT "meet_database"() AS least, current_setting('transaction_read_only') = 'off' AS writes`;

export interface Lineage {
  /** To be called before anything is written. False where nothing can be: then it is to be called again. */
  meet(ask: Ask): Promise<boolean>;
  /** What a record of this version becomes by a change: known here so that we answer with what the database will write. */
  nextVersion(version: number): number;
}

export function createLineage(): Lineage {
  let least = 1;
  return {
    async meet(ask) {
      try {
        const [met] = (await ask(meeting)).rows as { least: number; writes: boolean }[];
        least = met?.least ?? least;
        return met?.writes ?? false;
      } catch (error) {
        // Before the migration there is nothing to meet.
        if ((error as { code?: unknown }).code !== undefinedFunction) throw error;
        return true;
      }
    },
    nextVersion: (version) => Math.max(version + 1, least),
  };
}

/** For a database that has just been put back from a backup of the same place, which cannot tell by itself. */
export const wasRestored = `UPDATE "lineage" SET "identity" = 'restored'; SELECT "meet_database"()`;
