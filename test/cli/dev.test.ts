/** `npm run dev` on a copy of the source tree: rebuild and restart on changes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { unpackDbTemplateArchive } from '../../src/db/embedded/read-and-unpack-template-archive.ts';
import { CopiedTree } from '../support/copied-tree.ts';
import { freePort } from '../support/gateway-process.ts';
import { nodeFlags } from '../support/node-flags.ts';

let tree: CopiedTree;
let dev: ChildProcess;
let output: string;
let port: number;
let children: number[] = [];
const dataDir = () => join(tree.root, '.data');
const built = () => join(tree.root, 'dist', 'server', 'main.js');

beforeAll(async () => {
  tree = new CopiedTree();
  await mkdir(dataDir());
  await unpackDbTemplateArchive(inject('pgliteTemplate'), join(dataDir(), 'db'));
  port = await freePort();
});
afterEach(async () => {
  dev.kill('SIGKILL');
  await expect.poll(() => children.filter(isAlive)).toEqual([]);
});
afterAll(() => tree.remove());

const isAlive = (pid: number) => existsSync(`/proc/${pid}`);

/** Passes the V8 flags to the gateways that it starts: Node does not accept them in NODE_OPTIONS. */
const withFlags = `data:text/javascript,import%20v8%20from'node:v8';v8.setFlagsFromString('${nodeFlags.join(' ')}')`;

function start(): void {
  output = '';
  const program = join(tree.root, 'scripts', 'dev.js');
  dev = spawn(process.execPath, ['--import', join(inject('programs'), 'exit-with-parent.js'), program], {
    cwd: tree.root,
    env: {
      ...{ PATH: process.env.PATH, PORT: String(port), DATA_DIR: dataDir(), SEED_DEMO: 'off' },
      NODE_OPTIONS: `--import ${withFlags}`,
    },
    stdio: 'pipe',
  });
  for (const stream of [dev.stdout, dev.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk;
      recordChildren();
    });
}

/** Records all child processes, which must end with their parent. */
function recordChildren(): void {
  const list = `/proc/${dev.pid}/task/${dev.pid}/children`;
  if (!existsSync(list)) return;
  const pids = readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number);
  children = [...new Set([...children, ...pids])];
}

const outputMatches = (text: string | RegExp) => expect.poll(() => output).toMatch(text);
const lockNames = () => readdirSync(dataDir()).filter((name) => name.startsWith('db.lock.'));
const lockOwner = () => Number(lockNames()[0]?.split('.')[2]);
const status = async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status;
const banner = 'src/cli/startup-banner.ts';

it('restarts with changed sources, and keeps the last build while the sources do not compile', async () => {
  start();
  await outputMatches('Duet: one schema');
  await expect.poll(status).toBe(200);
  const first = lockOwner();

  tree.apply([{ file: banner, after: "'  Duet: ", add: 'not ' }]);
  await outputMatches('Duet: not one schema');
  await expect.poll(status).toBe(200);
  expect(isAlive(first)).toBe(false);
  const second = lockOwner();

  tree.apply([{ file: banner, after: "'  Duet: not ", add: "'" }]);
  await outputMatches(/PARSE_ERROR[\s\S]*banner\.ts/);
  tree.restore(banner);
  tree.apply([{ file: banner, after: '*/\n', add: "import { nobody } from 'zod';\nconsole.log(nobody);\n" }]);
  await outputMatches(/MISSING_EXPORT[\s\S]*nobody/);
  await expect.poll(status).toBe(200);
  expect(lockOwner()).toBe(second);

  tree.restore(banner);
  tree.apply([
    {
      file: banner,
      after: '*/\n',
      add: "import { ZodError } from 'zod';\nconsole.log('new:', ZodError.name);\n",
    },
    { file: banner, after: "'  Duet: ", add: 'still ' },
  ]);
  await outputMatches(/new: ZodError[\s\S]*Duet: still one schema/);
  expect(isAlive(second)).toBe(false);

  dev.kill('SIGINT');
  expect(await once(dev, 'exit')).toEqual([0, null]);
  expect(children.filter(isAlive)).toEqual([]);
  expect(lockNames()).toEqual([]);
});

it('starts the existing build, unless sources have changed since', async () => {
  tree.restore(banner);
  await mkdir(dirname(built()), { recursive: true });
  await writeFile(built(), `console.log('as built'); setInterval(() => {}, 1000);`);
  start();
  await outputMatches('as built');
  dev.kill('SIGKILL');
  await expect.poll(() => children.filter(isAlive)).toEqual([]);

  await utimes(built(), 0, 0);
  start();
  await outputMatches('Duet: one schema');
  expect(output).not.toContain('as built');
});
