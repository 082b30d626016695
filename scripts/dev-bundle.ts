/** Bundles the sources for `npm run dev`; libraries are bundled separately. */
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { packageRoot } from '../src/lib/package-info.ts';
import { emptyFolder } from './bundle.ts';
import { libraryPath, updateLibraries } from './dev-libraries.ts';
import { external } from './external-packages.ts';

const source = (...names: string[]) => join(packageRoot, 'src', ...names);

export interface Program {
  /** Modules to import before the old process stops. */
  modules: string[];
  /** Module that starts the gateway when it is imported. */
  main: string;
  /** Whether the libraries were bundled again, so that a process which has loaded them before is outdated. */
  librariesChanged: boolean;
  /** Deletes the files of earlier bundles. */
  deleteOtherFiles(): Promise<void>;
}

/** Does not touch the files of earlier bundles: the running gateway may still import some of them. */
export async function bundleSources(folder: string): Promise<Program> {
  const bundle = await rolldown({
    input: {
      main: source('main.ts'),
      start: source('cli', 'start-command.ts'),
      serve: source('cli', 'migrate-and-serve.ts'),
    },
    platform: 'node',
    external: /^[^./]/,
    logLevel: 'warn',
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    // Stack traces need positions, not sources. With sources, the maps take longer to load than the program.
    sourcemapExcludeSources: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    paths: (id) => (external.some((pattern) => pattern.test(id)) ? id : libraryPath(id)),
  });
  await bundle.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  const entry = (name: string) =>
    join(folder, chunks.find((chunk) => chunk.isEntry && chunk.name === name)?.fileName ?? name);
  return {
    modules: [entry('start'), entry('serve')],
    main: entry('main'),
    librariesChanged: await updateLibraries(folder, chunks),
    deleteOtherFiles: () => emptyFolder(folder, ['libraries', ...output.map((file) => file.fileName)]),
  };
}
