/** pgBackRest with the configuration of ops/pgbackrest, for one PostgreSQL server of a test. */
import { execFileSync } from 'node:child_process';
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { replaceVariables } from './compose-file.ts';
import { unprivilegedUser } from './debian-postgres.ts';
import type { PostgresServer } from './postgres-server.ts';
import { createTempFolder } from './temp-folder.ts';

/** Undefined if pgBackRest is not installed. */
export function pgbackrestVersion(): string | undefined {
  try {
    return execFileSync('pgbackrest', ['version'], { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return undefined;
  }
}

const cleanups: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

export interface BackupRepository {
  /** Settings of the server that archive its WAL and open the socket for pgBackRest. */
  readonly settings: readonly string[];
  /** Creates the repository of this server. */
  attach(server: PostgresServer): Promise<void>;
  /** Runs a command such as `backup` or `restore`; throws with its output if it fails. */
  run(command: string, ...options: readonly string[]): void;
}

export async function createBackupRepository(): Promise<BackupRepository> {
  const root = await createTempFolder('duet-backups-');
  cleanups.push(() => rm(root, { recursive: true, force: true }));
  const file = join(root, 'pgbackrest.conf');
  const sockets = join(root, 'sockets');
  const repository = join(root, 'repository');
  const own = async (path: string) => {
    if (unprivilegedUser.uid !== undefined) await chown(path, unprivilegedUser.uid, unprivilegedUser.gid);
  };
  await own(root);
  for (const folder of [sockets, repository]) {
    await mkdir(folder);
    await own(folder);
  }
  const options = [`--config=${file}`, '--stanza=duet', `--lock-path=${root}`];
  function run(command: string, ...more: readonly string[]): void {
    execFileSync('pgbackrest', [...options, ...more, command], {
      ...unprivilegedUser,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  }
  return {
    settings: [
      'archive_mode=on',
      `archive_command=pgbackrest ${options.join(' ')} archive-push %p`,
      'archive_timeout=60',
      `unix_socket_directories=${sockets}`,
    ],
    async attach(server) {
      const template = await readFile('ops/pgbackrest/pgbackrest.conf', 'utf8');
      const variables = {
        REPOSITORY: repository,
        PASSPHRASE: 'loopback',
        DATA_DIR: server.folder,
        POSTGRES_PORT: String(server.port),
        SOCKET_FOLDER: sockets,
        SUPERUSER: 'duet',
      };
      await writeFile(file, replaceVariables(template, variables));
      run('stanza-create');
    },
    run,
  };
}
