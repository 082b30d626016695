/** PgBouncer in transaction mode, in front of a PostgreSQL server, with fewer connections than anybody would like. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './gateway-process.ts';

/** Undefined when it is not installed. */
export function pgbouncerVersion(): string | undefined {
  try {
    return execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' }).split('\n')[0];
  } catch {
    return undefined;
  }
}

export interface Pgbouncer {
  /** The database of `behind`, through the pooler. */
  url: string;
  /** From now on with another server. */
  switchServer(behind: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startPgbouncer(behind: string, poolSize: number): Promise<Pgbouncer> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'duet-pgbouncer-'));
  await chmod(folder, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  const configure = (to: string) => writeFile(file, settings(to), { mode: 0o644 });
  const settings = (to: string) => {
    const { hostname, port: at, username, password } = new URL(to);
    const secret = password && ` password=${decodeURIComponent(password)}`;
    return `[databases]
* = host=${hostname} port=${at} user=${decodeURIComponent(username)}${secret}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 200
server_login_retry = 0.5
`;
  };
  await configure(behind);
  // It refuses to be root.
  const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn('pgbouncer', ['-q', file], { ...asNobody, stdio: ['ignore', 'ignore', 'pipe'] });
  const said: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  await waitUntilListening(port, child, said);
  const url = new URL(behind);
  url.port = String(port);
  url.hostname = '127.0.0.1';
  return {
    url: url.href,
    async switchServer(to) {
      await configure(to);
      child.kill('SIGHUP');
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Until somebody takes connections there. */
export async function waitUntilListening(
  port: number,
  child: ChildProcess,
  said: readonly string[],
): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (child.exitCode !== null) break;
    const answers = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (answers) return;
    await sleep(50);
  }
  throw new Error(`Nobody listens: ${said.join('')}`);
}
