/** Puts the server into a few files: loading a thousand modules takes longer than everything else at start-up. */
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { packageRoot } from '../src/lib/package-root.ts';

/** Left where they are: what brings files of its own or native code, and what few installations load at all. */
const external = [
  /^node:/,
  /^@electric-sql\/pglite/,
  /^@node-rs\//,
  /^@prisma\/(client|schema-engine-wasm)/,
  /^@graphql-yoga\/render-graphiql/,
  /^(ioredis|nodemailer|openid-client|pg-native|pino|pino-pretty|prom-client|sharp|stripe)(\/|$)/,
];

/** Each program by its name, from the sources or from what was built of them, into a folder that holds nothing else. */
export async function bundle(
  programs: Record<string, string>,
  folder: string,
  { sourcemap = false, alias = {} }: { sourcemap?: boolean; alias?: Record<string, string> } = {},
): Promise<void> {
  const bundled = await rolldown({
    input: programs,
    platform: 'node',
    external,
    resolve: { alias },
    logLevel: 'warn',
  });
  // Chunks carry their hash in the name: those of the last time would stay.
  for (const name of existsSync(folder) ? await readdir(folder) : [])
    await rm(join(folder, name), { recursive: true });
  await bundled.write({
    dir: folder,
    format: 'esm',
    sourcemap,
    // Stack traces need places, not texts: with those, maps load for longer than the program.
    sourcemapExcludeSources: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundled.close();
}

if (process.argv[1] === import.meta.filename) {
  const dist = join(packageRoot, 'dist');
  await bundle({ main: join(dist, 'src', 'main.js') }, join(dist, 'server'));
}
