/** PgBouncer in transaction mode in front of a PostgreSQL server. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './gateway-process.ts';

/** Undefined if PgBouncer is not installed. */
export function pgbouncerVersion(): string | undefined {
  try {
    return execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' }).split('\n')[0];
  } catch {
    return undefined;
  }
}

export interface Pgbouncer {
  /** URL of the database through the pooler. */
  url: string;
  /** Reloads the configuration with another server. */
  switchServer(databaseUrl: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startPgbouncer(databaseUrl: string, poolSize: number): Promise<Pgbouncer> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'duet-pgbouncer-'));
  await chmod(folder, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  const configure = (serverUrl: string) => writeFile(file, settings(serverUrl), { mode: 0o644 });
  const settings = (serverUrl: string) => {
    const { hostname, port: serverPort, username, password } = new URL(serverUrl);
    const secret = password && ` password=${decodeURIComponent(password)}`;
    return `[databases]
* = host=${hostname} port=${serverPort} user=${decodeURIComponent(username)}${secret}
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
  await configure(databaseUrl);
  // PgBouncer does not run as root.
  const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn('pgbouncer', ['-q', file], { ...asNobody, stdio: ['ignore', 'ignore', 'pipe'] });
  const stderr: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk.toString()));
  await waitUntilListening(port, child, stderr);
  const url = new URL(databaseUrl);
  url.port = String(port);
  url.hostname = '127.0.0.1';
  return {
    url: url.href,
    async switchServer(serverUrl) {
      await configure(serverUrl);
      child.kill('SIGHUP');
    },
    async stop() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Polls the port until it accepts connections, for at most 10 seconds. */
export async function waitUntilListening(
  port: number,
  child: ChildProcess,
  stderr: readonly string[],
): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (child.exitCode !== null) break;
    const isListening = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isListening) return;
    await sleep(50);
  }
  throw new Error(`Nothing listens on port ${port}: ${stderr.join('')}`);
}
