/** One process per embedded data directory: a lock file beside it names the process that has it open. */
import { readFileSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../../lib/operator-errors.ts';

/** Takes the lock or throws; the returned function gives it back. A lock of a dead process is taken over. */
export async function lockDataDirectory(directory: string): Promise<() => Promise<void>> {
  const path = `${directory}.lock`;
  const own = identity(process.pid);
  const unlock = () => rm(path, { force: true });
  const created = await writeFile(path, own, { flag: 'wx' }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
  if (created) return unlock;

  const holder = await readFile(path, 'utf8').catch(() => '');
  const pid = Number.parseInt(holder, 10);
  if (pid > 0 && isAlive(pid) && holder === identity(pid)) throw inUse(directory, pid);
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, own);
  await rename(draft, path);
  // Two processes may find the same stale lock: the last to write it wins, and the other one sees that here.
  await sleep(50);
  const winner = await readFile(path, 'utf8').catch(() => '');
  if (winner !== own) throw inUse(directory, Number.parseInt(winner, 10));
  return unlock;
}

function inUse(directory: string, pid: number): OperatorError {
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

/** The process id and, where the system tells it, its start time: containers reuse ids from the first restart. */
function identity(pid: number): string {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return `${pid} ${fields[19]}`;
  } catch {
    return `${pid}`;
  }
}
