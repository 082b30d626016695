/**
 * Lock of an embedded data directory: a Unix socket next to it, on which the one process that has it open listens. The kernel closes the
 * socket when that process ends, in whatever way. Unlike process ids, the socket is also visible in other containers of the same host.
 */
import { randomBytes } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureFolder } from '../../lib/ensure-folder.ts';
import { connectToUnixSocket, listenOnUnixSocket } from '../../lib/net/unix-socket-with-long-path.ts';
import { OperatorError } from '../../lib/operator-errors.ts';

/** A process that is being stopped releases the lock within this time. */
const defaultWaitMs = 10_000;
const announceWaitMs = 1_000;
const maxRetryDelayMs = 200;

type ReleaseDirectoryLock = () => Promise<void>;

/** Acquires the lock, creating the parent folder if necessary. Throws an OperatorError when it is still locked after `waitMs`. */
export async function lockDataDirectory(
  directory: string,
  waitMs = defaultWaitMs,
): Promise<ReleaseDirectoryLock> {
  await ensureFolder(dirname(directory));
  const start = performance.now();
  let announced = false;
  for (;;) {
    const lock = await tryLock(directory);
    if ('release' in lock) return lock.release;
    const waitedMs = performance.now() - start;
    if (waitedMs >= waitMs) throw directoryInUse(directory, lock.holder);
    if (waitedMs >= announceWaitMs && !announced) {
      announced = true;
      process.stderr.write(
        `The data directory ${directory} is in use by process ${lock.holder}: waiting up to ${waitMs / 1000} seconds for it to stop.\n`,
      );
    }
    // Random: two processes that have seen each other's socket must not retry at the same time.
    await sleep(Math.random() * maxRetryDelayMs);
  }
}

/**
 * Listens first and then looks for other sockets. Of two processes at once, the one that looks later sees the other's socket, so at most
 * one of them acquires the lock. Both may see each other: then both retry.
 */
async function tryLock(directory: string): Promise<{ release: ReleaseDirectoryLock } | { holder: number }> {
  const holder = await findHolder(directory);
  if (holder !== undefined) return { holder };
  const ownPath = `${directory}.lock.${process.pid}.${randomBytes(4).toString('hex')}`;
  const server = await listenBeforeVisible(ownPath);
  const release = async () => {
    server.close();
    await rm(ownPath, { force: true });
  };
  try {
    const rival = await findHolder(directory, basename(ownPath));
    if (rival === undefined) return { release };
    await release();
    return { holder: rival };
  } catch (error) {
    await release();
    throw error;
  }
}

/** A socket file exists before its process listens: it gets its name afterwards, so that no other process deletes it as stale. */
async function listenBeforeVisible(path: string): Promise<Server> {
  const unfinishedPath = join(dirname(path), `.${basename(path)}`);
  const server = createServer((socket) => socket.destroy()).unref();
  await listenOnUnixSocket(server, unfinishedPath);
  await rename(unfinishedPath, path);
  return server;
}

/** Process id of another process that has the lock or tries to acquire it. Deletes the sockets of ended processes. */
async function findHolder(directory: string, ownName?: string): Promise<number | undefined> {
  const prefix = `${basename(directory)}.lock`;
  for (const name of await readdir(dirname(directory))) {
    if (name === ownName || !(name === prefix || name.startsWith(`${prefix}.`))) continue;
    const path = join(dirname(directory), name);
    if (await hasListener(path)) return Number(name.slice(prefix.length + 1).split('.')[0]);
    await rm(path, { force: true });
  }
  return undefined;
}

/** False when the process has ended. A process that is too busy to accept the connection (EAGAIN), or closes it (ECONNRESET), is alive. */
async function hasListener(path: string): Promise<boolean> {
  try {
    const socket = await connectToUnixSocket(path);
    socket.on('error', () => {}).destroy();
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ECONNREFUSED' || code === 'ENOENT' || code === 'ENOTSOCK') return false;
    if (code === 'EAGAIN' || code === 'ECONNRESET') return true;
    throw error;
  }
}

function directoryInUse(directory: string, pid: number): OperatorError {
  return new OperatorError(
    `The data directory ${directory} is in use by process ${pid}, here or in another container. Stop that process, or choose another directory with DATA_DIR, or use a PostgreSQL server (DATABASE_URL) for several processes.`,
  );
}
