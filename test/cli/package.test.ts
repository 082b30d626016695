/** The tarball of `npm pack` installs and runs without a compiler and without development dependencies. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageRoot } from '../../src/lib/package-info.ts';
import { runProcess } from '../support/cli.ts';
import { startNodeProcess } from '../support/gateway-process.ts';

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

// Other documents, such as SECURITY.md, also link to sources and tests, which only the repository has.
it('contains every file that README, changelog and docs link to', async () => {
  const packed = await npm(['pack', '--dry-run', '--json', '--ignore-scripts'], packageRoot);
  const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
  const paths = new Set(files.map(({ path }) => path));
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

// Requires the build of `npm ci`; packing does not build again.
it.runIf(existsSync(join(packageRoot, 'dist', 'src', 'cli', 'duet.js')))(
  'installs from its tarball and runs',
  async () => {
    const tarball = await npm(['pack', '--ignore-scripts', '--pack-destination', folder], packageRoot);
    const prefix = join(folder, 'machine');
    await mkdir(prefix);
    await npm(['install', '--global', '--prefer-offline', '--prefix', prefix, join(folder, tarball)], folder);
    for (const tool of ['typescript', 'tsx', 'prisma', 'vitest', '@graphql-codegen/cli'])
      expect(existsSync(join(prefix, 'lib', 'node_modules', 'duet', 'node_modules', tool))).toBe(false);

    // Modules that are imported on demand would fail only when used, so all of them are enabled.
    const token = 'a-token-for-operators';
    const main = join(prefix, 'lib', 'node_modules', 'duet', 'dist', 'server', 'main.js');
    const env = { PATH: process.env.PATH ?? '', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent' };
    const collectorPaths: unknown[] = [];
    const collector = createServer((request, response) => {
      collectorPaths.push(request.url);
      request.resume().on('end', () => response.end('{}'));
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const gatewayEnv = {
      ...env,
      ADMIN_TOKEN: token,
      METRICS_TOKEN: token,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    };
    const gateway = await startNodeProcess([main], gatewayEnv, folder);
    const run = (...args: string[]) => runProcess(join(prefix, 'bin', 'duet'), args, { cwd: folder, env });
    const get = async (path: string) => {
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
      const response = await fetch(`${gateway.url}${path}`, { headers });
      return [response.status, await response.text()] as const;
    };
    try {
      expect(await get('/metrics')).toEqual([200, expect.stringContaining('duet_statements_total')]);
      expect(await get('/admin')).toEqual([200, expect.stringContaining('"processes"')]);
      expect(await get('/admin/jobs')).toEqual([200, expect.stringContaining('[]')]);
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
    } finally {
      expect(await gateway.stop()).toBe(0);
      collector.close();
    }
    expect(collectorPaths).toContain('/v1/traces');
  },
);
