/** The image as Podman builds and runs it: configuration, user, read-only root file system, health check, signals of process 1. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot, packageVersion } from '../../src/lib/package-info.ts';
import { freePort } from '../support/gateway-process.ts';
import { type Podman, podmanProblem, runOptions, startPodman, testImage } from '../support/podman.ts';

const isBuilt = existsSync(join(packageRoot, 'dist', 'server', 'duet.js'));
const problem = isBuilt ? podmanProblem() : 'there is no build (npm run build)';
if (problem) console.log(`Podman cannot run here, its test is skipped: ${problem}`);

/** Program that prints what process 1 is and may do. */
const inspectProcessOne = `
  const { existsSync, readFileSync, writeFileSync } = require('node:fs');
  const status = readFileSync('/proc/1/status', 'utf8');
  const field = (name) => new RegExp('^' + name + ':\\\\s+(\\\\w+)', 'm').exec(status)[1];
  const write = (file) => { try { writeFileSync(file, ''); return 'written'; } catch ({ code }) { return code; } };
  console.log(JSON.stringify({
    program: readFileSync('/proc/1/cmdline', 'utf8').split('\\0').slice(0, -1),
    user: field('Uid'), capabilities: Number('0x' + field('CapEff')), noNewPrivileges: field('NoNewPrivs'),
    writes: ['/srv/duet/file', '/etc/file', '/tmp/file', '/data/file'].map(write),
    sbom: existsSync('/srv/duet/dist/sbom.cdx.json'),
  }));`;

describe.runIf(!problem)('the image built by Podman', () => {
  let podman: Podman;
  beforeAll(async () => {
    podman = await startPodman();
    await podman.build();
  });
  afterAll(() => podman?.close());

  it('has a user, a health check, a stop signal, volumes and labels', async () => {
    const { stdout } = await podman.run('image', 'inspect', testImage);
    const [image] = JSON.parse(stdout);
    expect(image.Config).toMatchObject({
      User: '1000:1000',
      StopSignal: 'SIGTERM',
      Volumes: { '/data': {}, '/tmp': {} },
      Labels: {
        'org.opencontainers.image.version': packageVersion,
        'duet.sbom': '/srv/duet/dist/sbom.cdx.json',
      },
    });
    expect(image.Healthcheck).toMatchObject({ Interval: 10_000_000_000, Retries: 3 });
  });

  it('runs any command instead of the start', async () => {
    const result = await podman.run('run', '--rm', ...runOptions, testImage, '--version');
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining(packageVersion) });
  });

  it('serves as process 1 without root and capabilities, writes to its volumes only, and stops on SIGTERM', async () => {
    const port = await freePort();
    const env = ['--env', `PORT=${port}`, '--env', 'SANDBOX=allowed', '--env', 'HOST=127.0.0.1'];
    const started = await podman.run(
      'run',
      '--detach',
      '--name',
      'gateway',
      ...runOptions,
      ...env,
      testImage,
    );
    expect(started, started.stderr).toMatchObject({ code: 0 });
    const ready = () =>
      fetch(`http://127.0.0.1:${port}/health/ready`).then(
        ({ status }) => status,
        () => 'no connection',
      );
    await expect.poll(ready).toBe(200);
    expect(await podman.run('healthcheck', 'run', 'gateway')).toMatchObject({ code: 0 });
    const { stdout } = await podman.run('exec', 'gateway', 'node', '-e', inspectProcessOne);
    expect(JSON.parse(stdout)).toMatchObject({
      program: ['node', '--max-semi-space-size=64', '--v8-pool-size=1', 'dist/server/duet.js', 'start'],
      user: '1000',
      capabilities: 0,
      noNewPrivileges: '1',
      writes: ['EROFS', 'EROFS', 'written', 'written'],
      sbom: true,
    });
    const stopped = await podman.run('stop', '--time', '15', 'gateway');
    expect(stopped).toMatchObject({ code: 0 });
    const { stdout: state } = await podman.run(
      'inspect',
      'gateway',
      '--format',
      '{{.State.Status}} {{.State.ExitCode}}',
    );
    expect(state.trim()).toBe('exited 0');
  });
});
