/** Root file system of the container image, assembled as the Dockerfile's last stage does, for tests on machines without container tools. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { copyRuntime } from '../../scripts/runtime-folder.ts';
import { packageRoot } from '../../src/lib/package-info.ts';

interface ImageConfig {
  env: Record<string, string>;
  labels: Record<string, string>;
  user: string;
  folder: string;
  copies: { from: string; to: string; owner: string | undefined }[];
  volumes: string[];
  entrypoint: string[];
  command: string[];
  healthcheck: string[];
}

/** Instructions of a Dockerfile by line, without comments and with continued lines joined. */
const instructionsOf = (text: string): [name: string, rest: string][] =>
  text
    .replace(/^#.*\n/gm, '')
    .replace(/\s*\\\n\s*/g, ' ')
    .split('\n')
    .filter(Boolean)
    .map((line) => [line.split(' ', 1)[0] ?? '', line.slice(line.indexOf(' ') + 1).trim()]);

/** Reads `name=value` pairs, with quotes or without, and replaces build arguments. */
const readPairs = (text: string, buildArguments: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g)].map(([, name = '', quoted, plain = '']) => [
      name,
      (quoted ?? plain).replace(/\$\{(\w+)\}/g, (_, argument: string) => buildArguments[argument] ?? ''),
    ]),
  );

/** Configuration of the last stage. */
export function readDockerfile(text: string): ImageConfig {
  const config: ImageConfig = {
    env: {},
    labels: {},
    user: '',
    folder: '/',
    copies: [],
    volumes: [],
    entrypoint: [],
    command: [],
    healthcheck: [],
  };
  const buildArguments: Record<string, string> = {};
  const lastStage = text.slice(text.lastIndexOf('\nFROM '));
  for (const [name, rest] of instructionsOf(lastStage)) {
    if (name === 'ARG') Object.assign(buildArguments, readPairs(rest, {}));
    if (name === 'ENV') Object.assign(config.env, readPairs(rest, buildArguments));
    if (name === 'LABEL') Object.assign(config.labels, readPairs(rest, buildArguments));
    if (name === 'USER') config.user = rest;
    if (name === 'WORKDIR') config.folder = rest;
    if (name === 'VOLUME') config.volumes = JSON.parse(rest);
    if (name === 'ENTRYPOINT') config.entrypoint = JSON.parse(rest);
    if (name === 'CMD') config.command = JSON.parse(rest);
    if (name === 'HEALTHCHECK') config.healthcheck = JSON.parse(rest.slice(rest.indexOf('CMD') + 3));
    if (name === 'RUN') throw new Error('The last stage runs commands, which this test does not.');
    if (name === 'COPY') {
      const parts = rest.split(' ');
      const [from = '', to = ''] = parts.filter((part) => !part.startsWith('--'));
      const owner = parts.find((part) => part.startsWith('--chown='))?.slice('--chown='.length);
      config.copies.push({ from, to: resolve(config.folder, to), owner });
    }
  }
  return config;
}

/** Copies Node, and the system libraries that it and native packages load: the base image of the test. */
export function copyNode(root: string, buildStage: string): void {
  const native = readdirSync(buildStage, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.node'))
    .map((name) => join(buildStage, name));
  const list = execFileSync('ldd', [process.execPath, ...native], { encoding: 'utf8' });
  const libraries = [...list.matchAll(/^\t(?:\S+ => )?(\/\S+) \(/gm)].map(([, file = '']) => file);
  for (const file of new Set(libraries.filter((file) => !file.startsWith(buildStage)))) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    cpSync(realpathSync(file), join(root, file));
  }
  mkdirSync(join(root, 'usr', 'bin'), { recursive: true });
  cpSync(realpathSync(process.execPath), join(root, 'usr', 'bin', 'node'));
  for (const folder of ['dev', 'proc', 'tmp']) mkdirSync(join(root, folder));
}

/** Copies the files that .dockerignore sends to the build. Later lines exclude generated folders. */
export function copyBuildContext(folder: string): void {
  const lines = readFileSync(join(packageRoot, '.dockerignore'), 'utf8').split('\n');
  const excluded = lines.filter((line) => line.startsWith('**/')).map((line) => line.slice('**/'.length));
  for (const path of lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1)))
    cpSync(join(packageRoot, path), join(folder, path), {
      recursive: true,
      filter: (file) => !excluded.includes(basename(file)),
    });
}

/** Writes the files that the build stage leaves in `/runtime` and `/data`. */
export function writeBuildStage(folder: string): void {
  copyRuntime(join(folder, 'runtime'));
  mkdirSync(join(folder, 'data'));
}

/** Executes the COPY instructions of the last stage. */
export function copyFiles({ copies }: ImageConfig, buildStage: string, root: string): void {
  for (const { from, to, owner } of copies) {
    cpSync(join(buildStage, from), join(root, to), { recursive: true });
    const [uid, gid] = owner?.split(':').map(Number) ?? [];
    if (uid !== undefined && gid !== undefined) chownSync(join(root, to), uid, gid);
  }
}

/** Reason why this machine cannot run an isolated process, or undefined. */
export function isolationProblem(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux can';
  const { status, stderr } = spawnSync(
    'unshare',
    ['--pid', '--fork', '--mount', 'mount', '--bind', '/tmp', '/tmp'],
    { encoding: 'utf8' },
  );
  return status === 0 ? undefined : stderr || 'unshare is missing';
}

/**
 * Arguments of `unshare` that run a command of the image as process 1, as its user, on a read-only root file system with its volumes
 * writable. The network is that of the machine.
 */
export function isolatedCommand(
  { user, folder, volumes }: ImageConfig,
  root: string,
  command: readonly string[],
): string[] {
  const script = [
    'set -e',
    'mount --bind "$0" "$0"',
    ...volumes.map((path) =>
      path === '/tmp' ? 'mount -t tmpfs -o mode=1777 tmpfs "$0/tmp"' : `mount --bind "$0${path}" "$0${path}"`,
    ),
    'mount -t proc proc "$0/proc"',
    'mount --rbind /dev "$0/dev"',
    'mount -o remount,ro,bind "$0"',
    // chroot changes the folder to /: node resolves the program there.
    `exec chroot --userspec=${user} "$0" "$@"`,
  ].join('\n');
  const absolute = command.map((part) => (part.startsWith('dist/') ? join(folder, part) : part));
  return ['--pid', '--fork', '--kill-child', '--mount', 'sh', '-c', script, root, ...absolute];
}

export const dockerfileText = () => readFileSync(join(packageRoot, 'Dockerfile'), 'utf8');
