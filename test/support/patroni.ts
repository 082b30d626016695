/** PostgreSQL cluster of Patroni nodes on loopback, with the configuration of ops/patroni and one etcd server. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmod, chown, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { replaceVariables } from './compose-file.ts';
import { findPostgresPrograms, unprivilegedUser } from './debian-postgres.ts';
import { type Etcd, startEtcd } from './etcd.ts';
import { freePort } from './gateway-process.ts';
import { createTempFolder } from './temp-folder.ts';

/** Undefined if Patroni, etcd or PostgreSQL's programs are not installed. */
export function patroniVersion(): string | undefined {
  try {
    execFileSync('etcd', ['--version'], { stdio: 'pipe' });
    return (
      findPostgresPrograms() && execFileSync('patroni', ['--version'], { encoding: 'utf8', stdio: 'pipe' })
    );
  } catch {
    return undefined;
  }
}

/** Member of the cluster as Patroni's REST API reports it. */
interface ClusterMember {
  name: string;
  role: 'leader' | 'sync_standby' | 'replica';
  state: string;
}

export interface PatroniNode {
  readonly name: string;
  readonly port: number;
  /** URL of this node alone. */
  readonly url: string;
  /** Process id of the running PostgreSQL server. */
  postgresPid(): Promise<number>;
  /** Sends the signal to Patroni, which continues to be the parent of PostgreSQL. */
  signalPatroni(signal: NodeJS.Signals): void;
  /** Kills Patroni and PostgreSQL, like the loss of the machine. */
  kill(): Promise<void>;
  /** Starts Patroni on the existing data directory. */
  start(): Promise<void>;
  /** Output of Patroni and PostgreSQL. */
  output(): string;
}

export interface PatroniCluster {
  readonly nodes: readonly PatroniNode[];
  readonly etcd: Etcd;
  /** URL with all hosts, for the gateway. */
  readonly url: string;
  members(): Promise<ClusterMember[]>;
  /** Node that has the leader key, once it and `standbys` synchronous standbys are running. */
  waitForLeader(standbys?: number): Promise<PatroniNode>;
  /** Planned change of the primary. */
  switchover(from: PatroniNode): Promise<void>;
  stop(): Promise<void>;
}

const password = 'loopback';

interface NodePlan {
  name: string;
  folder: string;
  config: string;
  port: number;
  apiPort: number;
}

/** Starts a cluster. `settings` replaces lines of the configuration, for a test that cannot wait for its time limits. */
export async function startPatroniCluster(
  names: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<PatroniCluster> {
  const etcd = await startEtcd();
  const root = await createTempFolder('duet-patroni-');
  await chmod(root, 0o755);
  const plans = await Promise.all(names.map((name) => planNode(name, root, etcd.address, settings)));
  const nodes = plans.map(createNode);
  for (const node of nodes) await node.start();
  const hosts = plans.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const url = `postgresql://postgres:${password}@${hosts}/postgres?target_session_attrs=read-write`;

  /** Response of the first node that answers. */
  async function requestApi(path: string): Promise<unknown> {
    for (const { apiPort } of plans) {
      const response = await fetch(`http://127.0.0.1:${apiPort}${path}`).catch(() => undefined);
      if (response?.ok) return response.json();
      await response?.body?.cancel();
    }
    return undefined;
  }
  const members = async () =>
    ((await requestApi('/cluster')) as { members: ClusterMember[] } | undefined)?.members ?? [];

  async function waitForLeader(standbys = names.length - 1): Promise<PatroniNode> {
    for (let tries = 0; tries < 1200; tries += 1) {
      const running = (await members()).filter(({ state }) => state === 'running' || state === 'streaming');
      const leader = running.find(({ role }) => role === 'leader');
      const node = nodes.find(({ name }) => name === leader?.name);
      const synced = running.filter(({ role }) => role === 'sync_standby').length;
      if (node && synced >= standbys && (await acceptsWrites(node.port))) return node;
      await sleep(100);
    }
    throw new Error(`The cluster has no leader:\n${nodes.map((node) => node.output()).join('\n')}`);
  }

  return {
    nodes,
    etcd,
    url,
    members,
    waitForLeader,
    async switchover(from) {
      const plan = plans.find(({ name }) => name === from.name);
      const response = await fetch(`http://127.0.0.1:${plan?.apiPort}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: from.name }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`switchover: ${response.status} ${text}`);
    },
    async stop() {
      for (const node of nodes) await node.kill();
      await etcd.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function planNode(
  name: string,
  root: string,
  etcdHost: string,
  settings: Readonly<Record<string, string>>,
): Promise<NodePlan> {
  const [port, apiPort] = [await freePort(), await freePort()];
  const folder = join(root, name);
  const template = await readFile('ops/patroni/patroni.yml', 'utf8');
  const config = Object.entries(settings).reduce(
    (text, [line, replacement]) => text.replace(line, replacement),
    replaceVariables(template, {
      NODE_NAME: name,
      NODE_ADDRESS: '127.0.0.1',
      API_PORT: String(apiPort),
      POSTGRES_PORT: String(port),
      ETCD_HOSTS: etcdHost,
      CLIENT_NETWORK: '127.0.0.1/32',
      DATA_DIR: folder,
      BIN_DIR: findPostgresPrograms() ?? '',
      SUPERUSER_PASSWORD: password,
      REPLICATION_PASSWORD: password,
    }),
  );
  const file = join(root, `${name}.yml`);
  // No Unix socket, whose folder belongs to the system's own server, and no flushes to disk, as on every other server of the tests.
  const test = '  parameters:\n    unix_socket_directories: ""\n    fsync: "off"\n';
  await writeFile(file, `${config}${test}`);
  if (unprivilegedUser.uid !== undefined) await chown(root, unprivilegedUser.uid, unprivilegedUser.gid);
  return { name, folder, config: file, port, apiPort };
}

function createNode({ name, folder, config, port }: NodePlan): PatroniNode {
  let patroni: ChildProcess | undefined;
  const output: string[] = [];
  const postgresPid = async () =>
    Number((await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  return {
    name,
    port,
    url: urlOf(port),
    postgresPid,
    signalPatroni: (signal) => void patroni?.kill(signal),
    async start() {
      const child = spawn('patroni', [config], { ...unprivilegedUser, stdio: ['ignore', 'pipe', 'pipe'] });
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => output.push(chunk.toString()));
      patroni = child;
    },
    async kill() {
      const child = patroni;
      patroni = undefined;
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exited;
      await postgresPid().then(killWithChildren, () => {});
    },
    output: () => output.join(''),
  };
}

/** Kills the server and its backends, which otherwise would finish their statements. */
async function killWithChildren(pid: number): Promise<void> {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  for (const process_ of [pid, ...children.split('\n').filter(Boolean).map(Number)]) {
    try {
      process.kill(process_, 'SIGKILL');
    } catch {
      // Has exited already.
    }
  }
}

const urlOf = (port: number) => `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;

async function queryNode<Row extends object>(port: number, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: urlOf(port), connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

const acceptsWrites = async (port: number): Promise<boolean> =>
  (await queryNode<{ standby: boolean }>(port, 'select pg_is_in_recovery() as standby').catch(() => []))[0]
    ?.standby === false;
