/** Prisma Migrate inside this process: the WASM schema engine over a driver adapter, without downloading binaries. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm';

/** Migrations in the format of the schema engine. */
export type SchemaEngineMigrations = MigrationList;

const minimalSchema: [string, string][] = [
  ['schema.prisma', 'datasource db {\n  provider = "postgresql"\n}\n'],
];

export async function openSchemaEngine(
  adapter: SqlMigrationAwareDriverAdapterFactory,
): Promise<SchemaEngine> {
  const { SchemaEngine } = await loadBindings();
  const ignoreLog = () => {};
  return SchemaEngine.new(
    { datamodels: minimalSchema },
    ignoreLog,
    bindMigrationAwareSqlAdapterFactory(adapter),
  );
}

// The package stores its WASM instance in a module variable. A second instance, made by a second copy of this module such as a test
// runner loads, would replace the memory of the first one. Hence one instance per process, on globalThis.
const shared = globalThis as typeof globalThis & { duetSchemaEngine?: ReturnType<typeof instantiate> };

function loadBindings() {
  shared.duetSchemaEngine ??= instantiate();
  return shared.duetSchemaEngine;
}

async function instantiate() {
  // The package's entry imports its WASM file as a module, which Node supports only behind a flag.
  const api = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm');
  const wasm = await readFile(join(dirname(entry), 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(wasm, {
    './schema_engine_bg.js': { ...api, ...unrefTimers(api) },
  });
  api.__wbg_set_wasm(instance.exports);
  // Without this call the engine treats `undefined` and `null` as values.
  const { __wbindgen_start: start } = instance.exports;
  if (typeof start === 'function') start();
  return api;
}

/** Unrefs the engine's timers: it never clears the 10 s timer of its lock, which would keep a finished process alive. */
function unrefTimers(api: object): Record<string, (run: () => void, ms: number) => NodeJS.Timeout> {
  const names = Object.keys(api).filter((name) => name.startsWith('__wbg_setTimeout_'));
  return Object.fromEntries(names.map((name) => [name, (run, ms) => setTimeout(run, ms).unref()]));
}
