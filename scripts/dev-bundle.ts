/** The sources put together for `npm run dev`, beside the libraries. */
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { packageRoot } from '../src/lib/package-info.ts';
import { clear, external } from './bundle.ts';
import { bringLibraries, libraryPath } from './dev-libraries.ts';

const source = (...names: string[]) => join(packageRoot, 'src', ...names);

export interface Program {
  /** What it needs, and what begins when it is imported. */
  load: string[];
  begin: string;
  /** Whether a process that has loaded the libraries before has others than it needs. */
  otherLibraries: boolean;
  /** Removes what other programs have left. */
  clear(): Promise<void>;
}

/** Those that are there stay as they are: one of them runs, and may load more of itself. */
export async function bundleSources(folder: string): Promise<Program> {
  const bundled = await rolldown({
    input: {
      main: source('main.ts'),
      start: source('cli', 'start.ts'),
      serve: source('cli', 'serve.ts'),
    },
    platform: 'node',
    external: /^[^./]/,
    logLevel: 'warn',
  });
  const { output } = await bundled.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    // Stack traces need places, not texts: with those, maps load for longer than the program.
    sourcemapExcludeSources: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    paths: (id) => (external.some((left) => left.test(id)) ? id : libraryPath(id)),
  });
  await bundled.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  const entry = (name: string) =>
    join(folder, chunks.find((chunk) => chunk.isEntry && chunk.name === name)?.fileName ?? name);
  return {
    load: [entry('start'), entry('serve')],
    begin: entry('main'),
    otherLibraries: await bringLibraries(folder, chunks),
    clear: () => clear(folder, ['libraries', ...output.map((file) => file.fileName)]),
  };
}
