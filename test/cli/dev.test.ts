/** `npm run dev` on a copy of the tree, as somebody works with it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { unpackTemplateArchive } from '../../src/db/embedded/template-archive.ts';
import { CopiedTree } from '../support/copied-tree.ts';
import { nodeFlags } from '../support/node-flags.ts';
import { freePort } from '../support/process.ts';

let tree: CopiedTree;
let dev: ChildProcess;
let output: string;
let port: number;
let children: number[] = [];
const lock = () => join(tree.root, '.data', 'db.lock');
const built = () => join(tree.root, 'dist', 'server', 'main.js');

beforeAll(async () => {
  tree = new CopiedTree();
  await mkdir(dirname(lock()));
  await unpackTemplateArchive(inject('pgliteTemplate'), join(tree.root, '.data', 'db'));
  port = await freePort();
});
afterEach(async () => {
  dev.kill('SIGKILL');
  await expect.poll(() => children.filter(isAlive)).toEqual([]);
});
afterAll(() => tree.remove());

const isAlive = (pid: number) => existsSync(`/proc/${pid}`);

/** For the gateways that it starts, too: Node takes V8's flags from its arguments alone. */
const withFlags = `data:text/javascript,import%20v8%20from'node:v8';v8.setFlagsFromString('${nodeFlags.join(' ')}')`;

function start(): void {
  output = '';
  const program = join(tree.root, 'scripts', 'dev.js');
  dev = spawn(process.execPath, ['--import', join(inject('programs'), 'leash.js'), program], {
    cwd: tree.root,
    env: {
      ...{ PATH: process.env.PATH, PORT: String(port), DATA_DIR: dirname(lock()), SEED_DEMO: 'off' },
      NODE_OPTIONS: `--import ${withFlags}`,
    },
    stdio: 'pipe',
  });
  for (const stream of [dev.stdout, dev.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk;
      note();
    });
}

/** All that it has started: they must end with it. */
function note(): void {
  const list = `/proc/${dev.pid}/task/${dev.pid}/children`;
  if (!existsSync(list)) return;
  const now = readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number);
  children = [...new Set([...children, ...now])];
}

const said = (text: string | RegExp) => expect.poll(() => output).toMatch(text);
const holder = () => Number.parseInt(readFileSync(lock(), 'utf8'), 10);
const status = async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status;
const banner = 'src/cli/startup-banner.ts';

it('serves what the sources say now, and the last that could be put together', async () => {
  start();
  await said('Duet: one schema');
  expect(await status()).toBe(200);
  const first = holder();

  tree.apply([{ file: banner, after: "'  Duet: ", add: 'not ' }]);
  await said('Duet: not one schema');
  expect(await status()).toBe(200);
  expect(isAlive(first)).toBe(false);
  const second = holder();

  tree.apply([{ file: banner, after: "'  Duet: not ", add: "'" }]);
  await said(/PARSE_ERROR[\s\S]*banner\.ts/);
  tree.restore(banner);
  tree.apply([{ file: banner, after: '*/\n', add: "import { nobody } from 'zod';\nconsole.log(nobody);\n" }]);
  await said(/MISSING_EXPORT[\s\S]*nobody/);
  expect(await status()).toBe(200);
  expect(holder()).toBe(second);

  tree.restore(banner);
  tree.apply([
    {
      file: banner,
      after: '*/\n',
      add: "import { ZodError } from 'zod';\nconsole.log('new:', ZodError.name);\n",
    },
    { file: banner, after: "'  Duet: ", add: 'still ' },
  ]);
  await said(/new: ZodError[\s\S]*Duet: still one schema/);
  expect(isAlive(second)).toBe(false);

  dev.kill('SIGINT');
  expect(await once(dev, 'exit')).toEqual([0, null]);
  expect(children.filter(isAlive)).toEqual([]);
  expect(existsSync(lock())).toBe(false);
});

it('starts what was built, unless sources have changed since', async () => {
  tree.restore(banner);
  await mkdir(dirname(built()), { recursive: true });
  await writeFile(built(), `console.log('as built'); setInterval(() => {}, 1000);`);
  start();
  await said('as built');
  dev.kill('SIGKILL');
  await expect.poll(() => children.filter(isAlive)).toEqual([]);

  await utimes(built(), 0, 0);
  start();
  await said('Duet: one schema');
  expect(output).not.toContain('as built');
});
