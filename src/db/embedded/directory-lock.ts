/** Lock of an embedded data directory: a lock file next to it identifies the one process that has it open. */
import { readFileSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../../lib/operator-errors.ts';

/** Acquires the lock or throws. Returns the function that releases it. The lock of a dead process is taken over. */
export async function lockDataDirectory(directory: string): Promise<() => Promise<void>> {
  const path = `${directory}.lock`;
  const ownIdentity = processIdentity(process.pid);
  const unlock = () => rm(path, { force: true });
  const created = await writeFile(path, ownIdentity, { flag: 'wx' }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
  if (created) return unlock;

  const holder = await readFile(path, 'utf8').catch(() => '');
  const pid = Number.parseInt(holder, 10);
  if (pid > 0 && isAlive(pid) && holder === processIdentity(pid)) throw directoryInUse(directory, pid);
  const ownFile = `${path}.${process.pid}`;
  await writeFile(ownFile, ownIdentity);
  await rename(ownFile, path);
  // Two processes may take over the same stale lock: the last to write wins, and the other one detects it here.
  await sleep(50);
  const winner = await readFile(path, 'utf8').catch(() => '');
  if (winner !== ownIdentity) throw directoryInUse(directory, Number.parseInt(winner, 10));
  return unlock;
}

function directoryInUse(directory: string, pid: number): OperatorError {
  return new OperatorError(
    `The data directory ${directory} is in use by process ${pid}. Stop that process, or choose another directory with DATA_DIR, or use a PostgreSQL server (DATABASE_URL) for several processes.`,
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Process id and, on Linux, its start time: containers reuse process ids after every restart. */
function processIdentity(pid: number): string {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return `${pid} ${fields[19]}`;
  } catch {
    return `${pid}`;
  }
}
