/** The container image: its last stage runs as process 1, without root, on a read-only file system, and stops on SIGTERM. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot, packageVersion } from '../../src/lib/package-info.ts';
import { runProcess } from '../support/cli.ts';
import {
  copyBuildContext,
  copyFiles,
  copyNode,
  dockerfileText,
  isolatedCommand,
  isolationProblem,
  readDockerfile,
  writeBuildStage,
} from '../support/container-image.ts';
import { freePort } from '../support/gateway-process.ts';
import { createTempFolder } from '../support/temp-folder.ts';

const image = readDockerfile(dockerfileText());
const isBuilt = existsSync(join(packageRoot, 'dist', 'server', 'duet.js'));
const problem = isBuilt ? isolationProblem() : 'there is no build (npm run build)';
if (problem) console.log(`The image cannot run here, its test is skipped: ${problem}`);

it('has labels with the version, the licence and the location of the SBOM', () => {
  expect(image.labels).toMatchObject({
    'org.opencontainers.image.version': packageVersion,
    'org.opencontainers.image.licenses': 'MIT',
    'duet.sbom': `${image.folder}/dist/sbom.cdx.json`,
  });
});

it('has a build context without settings, secrets and local builds', () => {
  const patterns = readFileSync('.dockerignore', 'utf8').split('\n');
  expect(patterns.filter((line) => /^[^#!]/.test(line))).toEqual([
    '*',
    '**/dist',
    '**/generated',
    '**/node_modules',
  ]);
  expect(patterns.filter((line) => line.startsWith('!')).map((line) => line.slice(1))).not.toContain('.env');
});

it('has a build context with all files that the build reads', async () => {
  const context = await createTempFolder('duet-context-');
  copyBuildContext(context);
  await symlink(join(packageRoot, 'node_modules'), join(context, 'node_modules'));
  // The whole build takes half a minute. The guide reads most of the files that are not sources.
  const full = process.env.RELIABILITY === 'full';
  const [program, ...args] = full ? ['npm', 'run', 'prepare'] : ['npx', 'tsx', 'scripts/docs/guide.ts'];
  const result = await runProcess(program ?? '', args, { cwd: context, env: process.env });
  expect(result, result.stderr).toMatchObject({ code: 0 });
  await rm(context, { recursive: true });
});

describe.runIf(!problem)('the last stage', () => {
  let folder: string;
  let root: string;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    folder = await createTempFolder('duet-image-');
    root = join(folder, 'root');
    await mkdir(root);
    writeBuildStage(folder);
    copyNode(root, folder);
    copyFiles(image, folder, root);
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  const environment = (env: Record<string, string>) => ({
    ...image.env,
    PATH: '/usr/sbin:/usr/bin:/bin',
    ...env,
  });

  function start(env: Record<string, string>) {
    const command = [...image.entrypoint, ...image.command];
    const child = spawn('unshare', isolatedCommand(image, root, command), { env: environment(env) });
    children.push(child);
    const output: string[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()));
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    /** Process 1 of the isolated process tree. */
    const processOne = async () =>
      Number((await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')).trim());
    return { output, exited, processOne };
  }
  const checkHealth = (env: Record<string, string>) =>
    runProcess('unshare', isolatedCommand(image, root, image.healthcheck), {
      cwd: '/',
      env: environment(env),
    });

  it('serves, reports its health, writes to its volumes only, and exits with code 0 on SIGTERM', async () => {
    const env = { PORT: String(await freePort()), SANDBOX: 'allowed' };
    expect(await checkHealth(env)).toMatchObject({ code: 1 });
    const { output, exited, processOne } = start(env);
    const fail = (code: number | null) => expect.fail(`Exit code ${code}: ${output}`);
    const listening = expect.poll(() => output.join('')).toContain('listening');
    await Promise.race([listening, exited.then(fail)]);
    const status = await readFile(`/proc/${await processOne()}/status`, 'utf8');
    expect(/^NSpid:\s+\d+\s+(\d+)/m.exec(status)?.[1]).toBe('1');
    expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).toBe('1000');
    expect(await checkHealth(env)).toMatchObject({ code: 0 });
    const ready = async () => (await fetch(`http://127.0.0.1:${env.PORT}/health/ready`)).status;
    await expect.poll(ready).toBe(200);
    expect((await stat(join(root, 'data', 'db'))).uid).toBe(1000);
    const stopped = performance.now();
    process.kill(await processOne(), 'SIGTERM');
    expect(await exited).toBe(0);
    expect(performance.now() - stopped).toBeLessThan(10_000);
  });

  it('stops on SIGTERM before it has started, although Linux ignores unhandled signals of process 1', async () => {
    let connected = () => {};
    const connection = new Promise<void>((resolve) => {
      connected = resolve;
    });
    const silentDatabase = createServer((socket) => {
      socket.on('error', () => {});
      connected();
    });
    await new Promise<void>((resolve) => silentDatabase.listen(0, '127.0.0.1', resolve));
    const { port } = silentDatabase.address() as { port: number };
    const url = `postgresql://duet@127.0.0.1:${port}/duet`;
    const { exited, processOne, output } = start({ PORT: '0', SANDBOX: 'allowed', DATABASE_URL: url });
    await Promise.race([connection, exited.then((code) => expect.fail(`Exit code ${code}: ${output}`))]);
    process.kill(await processOne(), 'SIGTERM');
    expect(await exited).toBe(143);
    silentDatabase.close();
  });
});
