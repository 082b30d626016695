/** The tarball of a release installs and runs without a compiler and without development dependencies. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { external, readPackage } from '../../scripts/external-packages.ts';
import { findPackageProblems, type PackedPackage, packPackages } from '../../scripts/release/packages.ts';
import { packageRoot, packageVersion } from '../../src/lib/package-info.ts';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { runProcess } from '../support/cli.ts';
import { onPostgres, testDatabaseUrl } from '../support/database.ts';
import { readDocument } from '../support/documents.ts';
import { type Gateway, startNodeProcess } from '../support/gateway-process.ts';
import { codeBlocks } from '../support/run-document.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-package-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const npm = async (args: string[], cwd: string) => {
  // Removes the settings of the npm that runs this test.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
  const result = await runProcess('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    env,
  });
  if (result.code !== 0) throw new Error(`npm ${args.join(' ')}: ${result.stderr}`);
  return result.stdout.trim();
};

const findProgram = async (name: string) =>
  (await runProcess('which', [name], { cwd: folder, env: process.env })).stdout.trim();

it('prints the steps of a release on request, within 80 columns, and rejects unknown ones', async () => {
  const program = join(packageRoot, 'node_modules', '.bin', 'tsx');
  const run = (...args: string[]) =>
    runProcess(program, ['scripts/release/run.ts', ...args], { cwd: packageRoot, env: process.env });
  const [help, unknown] = await Promise.all([run('--help'), run('pakc')]);
  expect(help).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^Usage: npm run release/),
  });
  expect(help.stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toMatch(/^There is no step pakc\.\n\nUsage: /);
});

// Requires the build of `npm ci`; packing does not build again.
describe.runIf(existsSync(join(packageRoot, 'dist', 'server', 'duet.js')))('the packed tarball', () => {
  let packages: PackedPackage[];
  let tarball: string;
  /** Folder of npx with the installed packages. */
  let installed: string;
  let shop: string;
  let gateway: Gateway;
  const token = 'a-token-for-operators';
  const collectorPaths: unknown[] = [];
  const collector = createServer((request, response) => {
    collectorPaths.push(request.url);
    request.resume().on('end', () => response.end('{}'));
  });

  beforeAll(async () => {
    packages = packPackages(join(folder, 'tarballs'));
    tarball = packages[0]?.tarball ?? '';
    shop = join(folder, 'shop');
    await mkdir(shop);
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    // A cache of its own, so that npx installs the tarball; downloaded packages are shared.
    const cache = join(folder, 'npm');
    await mkdir(cache);
    await symlink(join(await npm(['config', 'get', 'cache'], folder), '_cacache'), join(cache, '_cacache'));
    const env = {
      npm_config_cache: cache,
      npm_config_prefer_offline: 'true',
      npm_config_update_notifier: 'false',
      LOG_LEVEL: 'silent',
      // Modules that are imported on demand would fail only when used, so all of them are enabled.
      ADMIN_TOKEN: token,
      METRICS_TOKEN: token,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    };
    const npx = join(dirname(await realpath(await findProgram('npx'))), 'npx-cli.js');
    gateway = await startNodeProcess([npx, '--yes', `file:${tarball}`, 'start'], env, shop);
    const [hash = ''] = await readdir(join(cache, '_npx'));
    installed = join(cache, '_npx', hash, 'node_modules');
  });
  afterAll(async () => {
    await gateway?.stop();
    // npx does not pass SIGTERM on: its command is found by the folder that only this test uses.
    await runProcess('pkill', ['-TERM', '-f', join(folder, 'npm', '_npx')], {
      cwd: folder,
      env: process.env,
    });
    collector.close();
  });

  // Other documents, such as SECURITY.md, also link to sources and tests, which only the repository has.
  it('contains every file that README, changelog and docs link to', () => {
    const paths = new Set(packages[0]?.files);
    const folders = new Set([...paths].map((path) => dirname(path)));
    const deadLinks = [...paths]
      .filter((path) => /^(README|CHANGELOG|docs\/[\w/-]+)\.md$/.test(path))
      .flatMap((path) =>
        [...readFileSync(join(packageRoot, path), 'utf8').matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)]
          .map(([, link = '']) => posix.join(dirname(path), link).replace(/\/$/, ''))
          .filter((target) => !paths.has(target) && !folders.has(target))
          .map((target) => `${path}: ${target}`),
      );
    expect(deadLinks).toEqual([]);
    expect([...paths].filter((path) => /^(docs|ops)\//.test(path)).length).toBeGreaterThan(20);
  });

  it('has what the registry and other packages need, as those of the clients', () => {
    // Those of the clients contain their build only after `npm run clients`.
    const [server, ...clients] = packages.map((packed) => findPackageProblems(packed, packageVersion));
    expect(server).toEqual([]);
    expect(clients.flat().filter((problem) => !problem.includes('./dist/'))).toEqual([]);
  });

  it('is installed for all users as the tutorial shows', async () => {
    const tutorial = readDocument('docs/tutorials/production-on-one-server.md');
    const [install] = codeBlocks(tutorial).filter(({ language }) => language === 'console');
    const script = (install?.lines ?? [])
      .filter((line) => !line.startsWith('apt '))
      .join('\n')
      .replace('--global @duet-gateway/server', `--global file:${tarball}`)
      .replaceAll('/opt/duet', join(folder, 'opt-duet'));
    const env = {
      PATH: `${join(folder, 'global', 'bin')}:${process.env.PATH}`,
      npm_config_prefix: join(folder, 'global'),
      npm_config_prefer_offline: 'true',
      npm_config_update_notifier: 'false',
    };
    const { code, stdout, stderr } = await runProcess('bash', ['-e', '-c', script], { cwd: folder, env });
    expect([code, stdout.trim().split('\n').at(-1)], stderr).toEqual([0, packageVersion]);
    expect(stderr).not.toContain('install-scripts');
    expect(existsSync(join(folder, 'opt-duet', 'ops', 'systemd', 'duet.service'))).toBe(true);
  });

  it('starts a shop in an empty folder with `npx`, and writes to that folder only', async () => {
    expect(await readdir(shop)).toEqual(['.data']);
    const login = await fetch(`${gateway.url}/v1/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ provider: 'GUEST' }),
    });
    const { accessToken } = (await login.json()) as { accessToken: string };
    const products = await fetch(`${gateway.url}/v1/businesses/${demoShopIdsAndLogins.businessId}/products`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    expect([login.status, products.status]).toEqual([200, 200]);
  });

  it.runIf(onPostgres)('migrates an empty PostgreSQL database', async () => {
    const env = {
      PATH: process.env.PATH ?? '',
      LOG_LEVEL: 'silent',
      DATABASE_URL: await testDatabaseUrl({ migrated: false }),
    };
    const result = await runProcess(join(installed, '.bin', 'duet'), ['migrate'], { cwd: shop, env });
    expect(result, result.stderr).toMatchObject({ code: 0 });
  });

  it('installs the packages that the bundle imports, without peers and development dependencies', async () => {
    const { dependencies = {} } = readPackage(packageRoot);
    const imported = external.map(String).join();
    for (const name of Object.keys(dependencies)) expect(imported).toContain(name.split('/')[0]?.slice(1));
    for (const tool of ['typescript', 'tsx', 'prisma', 'vitest', '@graphql-codegen/cli', 'stripe', 'pg'])
      expect(existsSync(join(installed, tool)), tool).toBe(false);
    const { stdout } = await runProcess('du', ['-sm', installed], { cwd: folder, env: process.env });
    expect(Number.parseInt(stdout, 10)).toBeLessThan(260);
  });

  it('contains a bill of materials of the bundled and of the installed packages', async () => {
    const file = join(installed, '@duet-gateway', 'server', 'dist', 'sbom.cdx.json');
    const { components, metadata } = JSON.parse(await readFile(file, 'utf8')) as {
      components: { name: string; purl: string; licenses?: object[] }[];
      metadata: { component: { purl: string } };
    };
    expect(metadata.component.purl).toBe(`pkg:npm/%40duet-gateway/server@${packageVersion}`);
    const names = components.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['graphql', 'pg', 'stripe', 'sharp', '@electric-sql/pglite']),
    );
    expect(components.filter(({ licenses }) => licenses === undefined).map(({ name }) => name)).toEqual([]);
    expect(new Set(components.map(({ purl }) => purl)).size).toBe(components.length);
  });

  it('has a command that works on the running shop', async () => {
    const get = async (path: string) => {
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
      const response = await fetch(`${gateway.url}${path}`, { headers });
      return [response.status, await response.text()] as const;
    };
    expect(await get('/metrics')).toEqual([200, expect.stringContaining('duet_statements_total')]);
    expect(await get('/admin')).toEqual([200, expect.stringContaining('"processes"')]);
    expect(await get('/admin/jobs')).toEqual([200, expect.stringContaining('[]')]);
    const env = { PATH: process.env.PATH ?? '', LOG_LEVEL: 'silent' };
    const run = (...args: string[]) => runProcess(join(installed, '.bin', 'duet'), args, { cwd: shop, env });
    expect(await run('seed')).toEqual({
      code: 0,
      stdout: 'The demo business already exists.\n',
      stderr: '',
    });
    expect(await run('jobs', '--failed')).toMatchObject({
      code: 0,
      stdout: 'Nothing has failed permanently.\n',
    });
    expect(await run('start', '--help')).toMatchObject({ code: 0 });
    await gateway.stop();
    await expect.poll(() => collectorPaths).toContain('/v1/traces');
  });
});
