/** Podman with its own storage: builds the Dockerfile without a registry, and runs containers of the image. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProcessResult, runProcess } from './cli.ts';
import { copyNode, dockerfileText, writeBuildStage } from './container-image.ts';
import { createTempFolder } from './temp-folder.ts';

/** Mount namespace with version 2 of cgroups: crun refuses machines that mount both versions. */
const privateMounts = 'umount --recursive /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup';

/** Reason why Podman cannot run here, or undefined. */
export function podmanProblem(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux can';
  for (const program of ['podman', 'conmon', 'crun', 'nsenter'])
    if (spawnSync('which', [program]).status !== 0)
      return `${program} is missing (apt-get install podman crun)`;
  const { status, stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', `set -e; ${privateMounts}`], {
    encoding: 'utf8',
  });
  return status === 0 ? undefined : stderr;
}

export interface Podman {
  /** Builds `localhost/duet:test`. */
  build(): Promise<void>;
  /** Runs a Podman command; its failure is in the result. */
  run(...args: string[]): Promise<ProcessResult>;
  close(): Promise<void>;
}

export const testImage = 'localhost/duet:test';

/**
 * Options of containers: those that the deployment guide recommends, and those of a machine without systemd, without a network bridge and
 * without the capability to raise limits.
 */
export const runOptions = [
  ...['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
  ...[
    '--network',
    'host',
    '--cgroups',
    'disabled',
    '--ulimit',
    'nofile=1024:1024',
    '--ulimit',
    'nproc=4096:4096',
  ],
];

export async function startPodman(): Promise<Podman> {
  const folder = await createTempFolder('duet-podman-');
  const namespace = await holdNamespace();
  const storage = [
    ...['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--tmpdir', join(folder, 'tmp')],
    ...['--storage-driver', 'overlay', '--cgroup-manager', 'cgroupfs', '--events-backend', 'none'],
  ];
  const run = (...args: string[]) =>
    runProcess('nsenter', [`--mount=/proc/${namespace.pid}/ns/mnt`, 'podman', ...storage, ...args], {
      cwd: '/',
      // Podman schedules health checks with systemd; the test requests them.
      env: { PATH: process.env.PATH, HOME: folder, XDG_RUNTIME_DIR: folder, DISABLE_HC_SYSTEMD: 'true' },
    });
  return {
    run,
    async build() {
      const context = join(folder, 'context');
      writeContext(context);
      // The format of OCI images has no HEALTHCHECK.
      const options = ['--isolation', 'chroot', '--format', 'docker', '--build-arg', 'NODE_IMAGE=node'];
      const { code, stdout, stderr } = await run('build', ...options, '--tag', testImage, context);
      if (code !== 0) throw new Error(`podman build: ${stdout}${stderr}`);
    },
    async close() {
      await run('rm', '--all', '--force', '--time', '0');
      namespace.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Process whose mount namespace has the mounts of Podman: they end with it. */
function holdNamespace(): Promise<ChildProcess> {
  const child = spawn(
    'unshare',
    ['--mount', 'sh', '-c', `${privateMounts}; echo ready; exec sleep infinity`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  return new Promise((resolve, reject) => {
    child.stdout.once('data', () => resolve(child));
    child.once('exit', (code) => reject(new Error(`unshare: exit code ${code}`)));
  });
}

/** Build context: the last stage of the Dockerfile, after stages with the base image and with the files that the build stage leaves. */
function writeContext(folder: string): void {
  mkdirSync(join(folder, 'build'), { recursive: true });
  mkdirSync(join(folder, 'node'));
  writeBuildStage(join(folder, 'build'));
  copyNode(join(folder, 'node'), join(folder, 'build'));
  const text = dockerfileText();
  const stages = [
    'ARG NODE_IMAGE',
    'FROM scratch AS node\nCOPY node /',
    'FROM scratch AS build\nCOPY build /',
    text.slice(text.lastIndexOf('\nFROM ') + 1),
  ];
  writeFileSync(join(folder, 'Dockerfile'), stages.join('\n'));
}
