/** Compares the version of this program with a database that a newer version has migrated. */
import { OperatorError } from '../../lib/operator-errors.ts';
import { packageVersion } from '../../lib/package-info.ts';
import type { Db } from '../handles.ts';
import { listNewerMigrations } from './apply-and-list-migrations.ts';

/** Folder name of a migration that removes something: `<time>_contract_0_4_0_<name>`. Versions from 0.4.0 on do not use it. */
export const contractMigrationNamePattern = /^\d+_contract_(\d+)_(\d+)_(\d+)_/;

/**
 * Describes a database that is newer than this program; undefined if it is not. The program works with it, because migrations only add
 * (expand and contract). Throws if a migration has removed something that this version still uses.
 */
export async function describeOrRejectNewerDatabase(db: Db): Promise<string | undefined> {
  const names = await listNewerMigrations(db);
  for (const name of names) {
    const version = contractMigrationNamePattern.exec(name)?.slice(1).join('.');
    if (version !== undefined && isLaterVersion(version, packageVersion))
      throw new OperatorError(
        `The database was migrated for version ${version} or later: ${name} removed something that version ${packageVersion} uses. Install version ${version} or later.`,
      );
  }
  if (names.length === 0) return undefined;
  return `the database was migrated by a newer version. Version ${packageVersion} lacks ${names.length} of its migrations: ${names.join(', ')}. Upgrade this process; it works until then.`;
}

export function isLaterVersion(version: string, other: string): boolean {
  const numbers = (text: string) => text.split('.').map((part) => Number.parseInt(part, 10));
  const [ours, theirs] = [numbers(version), numbers(other)];
  const difference = ours.map((part, index) => part - (theirs[index] ?? 0)).find((part) => part !== 0);
  return (difference ?? 0) > 0;
}
