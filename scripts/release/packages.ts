/** The published packages: packs them into tarballs, and finds what would be wrong on the registry. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/lib/package-info.ts';

/** Folders of the packages, relative to the root. */
export const packageFolders = [
  '.',
  'packages/client-rest',
  'packages/client-graphql',
  'packages/migrate',
  'packages/codegen-content',
] as const;

interface Manifest {
  name: string;
  version: string;
  private?: boolean;
  license?: string;
  description?: string;
  repository?: { url: string };
  engines?: { node?: string };
  exports?: object;
  bin?: Record<string, string>;
  publishConfig?: { access?: string; provenance?: boolean };
  dependencies?: Record<string, string>;
  scripts?: Record<string, string>;
}

export interface PackedPackage {
  folder: string;
  manifest: Manifest;
  /** Path of the tarball. */
  tarball: string;
  files: readonly string[];
  /** Bytes. */
  size: number;
  unpackedSize: number;
}

interface PackOutput {
  filename: string;
  files: { path: string }[];
  size: number;
  unpackedSize: number;
}

/** Packs several folders in one process of npm, whose start takes a second. */
function pack(folders: readonly string[], target: string): PackOutput[] {
  const args = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', target];
  const output = execFileSync('npm', [...args, ...folders], { cwd: packageRoot, encoding: 'utf8' });
  return JSON.parse(output) as PackOutput[];
}

/** Fields of package.json that only a clone needs. npm warns of `prepare`, and resolves development dependencies of an unpacked tarball. */
const cloneFields = new Set(['scripts', 'devDependencies', 'overrides', 'allowScripts']);

/** Removes the fields in an unpacked tarball. */
function removeCloneFields(folder: string): Manifest {
  const path = join(folder, 'package.json');
  const fields = Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Manifest);
  const manifest = Object.fromEntries(fields.filter(([name]) => !cloneFields.has(name)));
  writeFileSync(path, `${JSON.stringify(manifest, undefined, 2)}\n`);
  return manifest as unknown as Manifest;
}

/** Packs what is built: run `npm run build` and `npm run clients` first. */
export function packPackages(target: string): PackedPackage[] {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const staging = mkdtempSync(join(tmpdir(), 'duet-pack-'));
  try {
    const sources = packageFolders.map((folder) => join(packageRoot, folder));
    const unpacked = pack(sources, staging).map(({ filename }, index) => {
      const folder = join(staging, String(index));
      mkdirSync(folder);
      execFileSync('tar', ['--extract', '--file', join(staging, filename), '--directory', folder]);
      return join(folder, 'package');
    });
    const manifests = unpacked.map(removeCloneFields);
    return pack(unpacked, target).map(({ filename, files, size, unpackedSize }, index) => ({
      folder: packageFolders[index] ?? '',
      manifest: manifests[index] as Manifest,
      tarball: join(target, filename),
      files: files.map(({ path }) => path),
      size,
      unpackedSize,
    }));
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Paths in `exports`, with their conditions. */
function exportTargets(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(exportTargets) : [];
}

/** One line per problem. */
export function findPackageProblems({ manifest, files }: PackedPackage, version: string): string[] {
  const targets = [...exportTargets(manifest.exports), ...Object.values(manifest.bin ?? {})];
  const problems = [
    manifest.private && 'is private',
    manifest.version !== version && `has version ${manifest.version} instead of ${version}`,
    !manifest.name.startsWith('@duet-gateway/') && 'has no scope',
    manifest.scripts?.prepare !== undefined && 'runs a script when it is installed',
    manifest.license === undefined && 'has no license',
    manifest.description === undefined && 'has no description',
    manifest.repository === undefined && 'has no repository, which provenance requires',
    manifest.engines?.node === undefined && 'has no engines.node',
    manifest.publishConfig?.access !== 'public' && 'has no public access',
    manifest.publishConfig?.provenance !== true && 'has no provenance',
    !files.includes('LICENSE') && 'lacks the file LICENSE',
    !files.includes('README.md') && 'lacks the file README.md',
    ...targets.map((path) => !files.includes(path.replace(/^\.\//, '')) && `lacks the file ${path}`),
    ...files.map((path) => /(?:^|\/)(?:\.env|node_modules)/.test(path) && `contains ${path}`),
    ...Object.entries(manifest.dependencies ?? {}).map(
      ([name, range]) => !/^\d/.test(range) && `depends on ${name}@${range}, which is no exact version`,
    ),
  ];
  return problems.filter((problem) => typeof problem === 'string').map((text) => `${manifest.name} ${text}.`);
}
