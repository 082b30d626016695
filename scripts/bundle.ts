/** Puts programs into a few files: loading a thousand modules takes longer than everything else at start-up. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OutputOptions, type Plugin, rolldown } from 'rolldown';
import { packageRoot } from '../src/lib/package-info.ts';

/** Left where they are: what brings files of its own or native code, and what few installations load at all. */
export const external = [
  /^node:/,
  /^@electric-sql\/pglite/,
  /^@node-rs\//,
  /^@prisma\/client/,
  /^@graphql-yoga\/render-graphiql/,
  /^(ioredis|nodemailer|pg-native|pino|pino-pretty|prom-client|sharp|stripe)(\/|$)/,
];

/** Of these packages a tenth is needed, and can be taken from their modules alone; Node is shown others. */
const needed: Plugin = {
  name: 'needed',
  resolveId: {
    filter: { id: /^@opentelemetry\// },
    async handler(id, importer) {
      const found = await this.resolve(id, importer, { skipSelf: true });
      return found && { ...found, id: found.id.replace(/([\\/]build[\\/])src([\\/])/, '$1esm$2') };
    },
  },
};

/** As `npm start` says it. Code is kept for one set of flags: with others it is made anew. */
const flags = ['--max-semi-space-size=64'];

interface Options {
  alias?: Record<string, string>;
  plugins?: Plugin[];
}

async function put(
  input: Record<string, string>,
  output: OutputOptions,
  { alias = {}, plugins = [] }: Options = {},
) {
  const bundled = await rolldown({
    input,
    platform: 'node',
    external,
    resolve: { alias },
    plugins: [needed, ...plugins],
    logLevel: 'warn',
  });
  const written = await bundled.write(output);
  await bundled.close();
  return written.output.map(({ fileName }) => fileName);
}

/** Chunks carry their hash in the name: those of the last time would stay. */
export async function clear(folder: string, but: readonly string[] = []): Promise<void> {
  const kept = new Set(but);
  for (const name of existsSync(folder) ? await readdir(folder) : [])
    if (!kept.has(name)) await rm(join(folder, name), { recursive: true });
}

/** Each program by its name, from the sources or from what was built of them, into a folder that holds nothing else. */
export async function bundle(
  programs: Record<string, string>,
  folder: string,
  options: Options = {},
): Promise<void> {
  const written = await put(
    programs,
    { dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    options,
  );
  // Whatever cannot be put together leaves the last as it was.
  await clear(folder, written);
}

/** The same for src/cli/code-cache-loader.ts, which loads no modules but files such as these. */
export async function bundleCompiled(
  programs: Record<string, string>,
  folder: string,
  { launch, alias = {} }: { launch: string; alias?: Record<string, string> },
): Promise<void> {
  await clear(folder);
  const esm = /^(@prisma\/client\/runtime\/query_compiler.*)\.mjs$/;
  await put(
    programs,
    {
      dir: folder,
      format: 'cjs',
      // As modules are: what must not be changed would be left as it is without a word.
      strict: true,
      // Code that was kept cannot import what is not a file of its own.
      dynamicImportInCjs: false,
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name]-[hash].cjs',
      paths: (id) => esm.exec(id)?.[1]?.concat('.js') ?? id,
    },
    { alias },
  );
  for (const name of await readdir(folder)) await toFunction(join(folder, name));
  await put({ launch }, { dir: folder, format: 'esm', entryFileNames: '[name].js' });
  for (const name of Object.keys(programs)) {
    const file = join(folder, `${name}.js`);
    await writeFile(
      file,
      `#!/usr/bin/env -S node ${flags.join(' ')}\nimport { launch } from './launch.js';\n\nlaunch(import.meta.dirname, '${name}.cjs');\n`,
    );
    await chmod(file, 0o755);
  }
}

/** As launch.ts calls it. One letter that needs two bytes would make V8 keep two for each of the whole text. */
async function toFunction(file: string): Promise<void> {
  const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const text = (await readFile(file, 'utf8')).replace(/[^\0-\x7f]/g, escaped);
  await writeFile(file, `(function (exports, require, module, __filename, __dirname) {${text}\n})`);
}

/** Starts the gateway once and keeps the code of all that it needed until then. It ends with the build, however that ends. */
export async function keepCode(folder: string, args: readonly string[] = flags): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'duet-code-'));
  const program = join(folder, 'keep.js');
  try {
    await writeFile(
      program,
      `import { launch } from './launch.js';
    const keep = launch(import.meta.dirname, 'main.cjs');
    process.stdin.once('data', () => { keep(); process.exit(0); });
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
    child.stdout.once('data', () => child.stdin.end('keep'));
    await once(child, 'exit').catch(() => {});
  } finally {
    for (const left of [program, dataDir]) await rm(left, { recursive: true, force: true });
  }
  // It starts without, only later.
  if (!existsSync(join(folder, 'code.json'))) console.warn('No code is kept: the gateway did not start.');
}

if (process.argv[1] === import.meta.filename) {
  const dist = join(packageRoot, 'dist');
  const built = (...names: string[]) => join(dist, 'src', ...names);
  await bundleCompiled({ main: built('main.js'), duet: built('cli', 'duet.js') }, join(dist, 'server'), {
    launch: built('cli', 'code-cache-loader.js'),
  });
  await keepCode(join(dist, 'server'));
}
