/** Bundles programs into a few files: loading a thousand modules takes longer than everything else at start-up. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OutputOptions, type Plugin, rolldown } from 'rolldown';
import { packageRoot } from '../src/lib/package-info.ts';
import { external } from './external-packages.ts';
import { writeSbom } from './sbom.ts';

/** Resolves OpenTelemetry to its ES modules: a tenth of it is used, and the CommonJS files that Node resolves to cannot be tree-shaken. */
const openTelemetryAsEsm: Plugin = {
  name: 'open-telemetry-as-esm',
  resolveId: {
    filter: { id: /^@opentelemetry\// },
    async handler(id, importer) {
      const resolved = await this.resolve(id, importer, { skipSelf: true });
      return resolved && { ...resolved, id: resolved.id.replace(/([\\/]build[\\/])src([\\/])/, '$1esm$2') };
    },
  },
};

/** V8 flags of `npm start`. V8 rejects a code cache that was written with other flags. */
const flags = ['--max-semi-space-size=64'];

interface Options {
  alias?: Record<string, string>;
  plugins?: Plugin[];
}

async function writeBundle(
  input: Record<string, string>,
  outputOptions: OutputOptions,
  { alias = {}, plugins = [] }: Options = {},
) {
  const build = await rolldown({
    input,
    platform: 'node',
    external,
    resolve: { alias },
    plugins: [openTelemetryAsEsm, ...plugins],
    logLevel: 'warn',
  });
  const { output } = await build.write(outputOptions);
  await build.close();
  return output;
}

/** Names of the packages whose files are part of a bundle. */
const bundledPackages = (output: Awaited<ReturnType<typeof writeBundle>>): string[] =>
  output.flatMap((file) =>
    file.type === 'chunk'
      ? file.moduleIds.flatMap(
          (id) => /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id)?.[0] ?? [],
        )
      : [],
  );

/** Empties a folder, except for the given names. Chunks have their hash in the name, so those of the previous build would remain. */
export async function emptyFolder(folder: string, except: readonly string[] = []): Promise<void> {
  const excepted = new Set(except);
  for (const name of existsSync(folder) ? await readdir(folder) : [])
    if (!excepted.has(name)) await rm(join(folder, name), { recursive: true });
}

/** Bundles programs, given by name and source file, as ES modules. Other files in the folder are deleted. */
export async function bundle(
  programs: Record<string, string>,
  folder: string,
  options: Options = {},
): Promise<void> {
  const output = await writeBundle(
    programs,
    { dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    options,
  );
  const fileNames = output.map(({ fileName }) => fileName);
  // After the build: a failed build leaves the previous files in place.
  await emptyFolder(folder, fileNames);
}

/**
 * Bundles programs for src/vendor/v8/code-cache-loader.ts, which loads CommonJS function bodies instead of modules. Returns the folders of
 * the bundled packages.
 */
export async function bundleCompiled(
  programs: Record<string, string>,
  folder: string,
  { launch, alias = {} }: { launch: string; alias?: Record<string, string> },
): Promise<string[]> {
  await emptyFolder(folder);
  const esm = /^(@prisma\/client\/runtime\/query_compiler.*)\.mjs$/;
  const output = await writeBundle(
    programs,
    {
      dir: folder,
      format: 'cjs',
      // As in ES modules. In sloppy mode, writes to read-only properties would be ignored silently.
      strict: true,
      // A script with cached data has no host callback for `import()`.
      dynamicImportInCjs: false,
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name]-[hash].cjs',
      paths: (id) => esm.exec(id)?.[1]?.concat('.js') ?? id,
    },
    { alias },
  );
  for (const name of await readdir(folder)) await wrapAsFunction(join(folder, name));
  await writeBundle({ launch }, { dir: folder, format: 'esm', entryFileNames: '[name].js' });
  for (const name of Object.keys(programs)) {
    const file = join(folder, `${name}.js`);
    await writeFile(
      file,
      `#!/usr/bin/env -S node ${flags.join(' ')}\nimport { loadWithCodeCache } from './launch.js';\n\nloadWithCodeCache(import.meta.dirname, '${name}.cjs');\n`,
    );
    await chmod(file, 0o755);
  }
  return [...new Set(bundledPackages(output))];
}

/** Rewrites a file as the function that the code cache loader calls, in ASCII: a single non-Latin-1 character makes V8 store the whole text with two bytes per character. */
async function wrapAsFunction(file: string): Promise<void> {
  const toEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const text = (await readFile(file, 'utf8')).replace(/[^\0-\x7f]/g, toEscape);
  await writeFile(file, `(function (exports, require, module, __filename, __dirname) {${text}\n})`);
}

/** Starts the gateway once and writes the V8 code cache of everything that it loaded. The child exits when the build process ends. */
export async function buildCodeCache(folder: string, args: readonly string[] = flags): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'duet-code-'));
  const program = join(folder, 'write-code-cache.js');
  try {
    await writeFile(
      program,
      `import { loadWithCodeCache } from './launch.js';
    const writeCodeCache = loadWithCodeCache(import.meta.dirname, 'main.cjs');
    process.stdin.once('data', () => { writeCodeCache(); process.exit(0); });
    process.stdin.once('end', () => process.exit(1));`,
    );
    const child = spawn(process.execPath, [...args, program], {
      cwd: folder,
      env: { PATH: process.env.PATH, PORT: '0', HOST: '127.0.0.1', DATA_DIR: dataDir, LOG_LEVEL: 'silent' },
      stdio: ['pipe', 'pipe', 'inherit'],
      timeout: 120_000,
      killSignal: 'SIGKILL',
    });
    child.stdin.on('error', () => {});
    child.stdout.once('data', () => child.stdin.end('write'));
    await once(child, 'exit').catch(() => {});
  } finally {
    for (const path of [program, dataDir]) await rm(path, { recursive: true, force: true });
  }
  // The code cache is optional: without it the gateway starts more slowly.
  if (!existsSync(join(folder, 'code.json')))
    console.warn('No code cache was written: the gateway did not start. Later starts compile the sources.');
}

if (process.argv[1] === import.meta.filename) {
  const dist = join(packageRoot, 'dist');
  const built = (...names: string[]) => join(dist, 'src', ...names);
  const packages = await bundleCompiled(
    { main: built('main.js'), duet: built('cli', 'duet.js') },
    join(dist, 'server'),
    {
      launch: built('vendor', 'v8', 'code-cache-loader.js'),
    },
  );
  await writeSbom(join(dist, 'sbom.cdx.json'), packages);
  await buildCodeCache(join(dist, 'server'));
}
