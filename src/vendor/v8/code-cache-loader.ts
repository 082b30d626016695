/**
 * Starts a bundled program with the V8 code cache that the build has written. Compiling without it takes a sixth of the start time.
 * A cache of another Node version or platform, or one that is damaged, is ignored and the source is compiled: V8 itself checks little more
 * than lengths, and crashes on invalid code.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { heapGrowthLimiter } from './heap-growth-limits.ts';

interface LoadedModule {
  exports: object;
}

type Program = (
  exports: object,
  require: (id: string) => unknown,
  module: LoadedModule,
  file: string,
  folder: string,
) => void;

/** Byte range of a file's code in code.bin. */
interface CacheEntry {
  from: number;
  to: number;
  /** CRC-32 of the source text. */
  text: number;
  /** CRC-32 of the code. */
  code: number;
}

/** Content of code.json. */
interface CacheIndex {
  /** Node version, platform and architecture of the build. */
  by: string;
  places: Record<string, CacheEntry>;
}

const runtime = `${process.version} ${process.platform} ${process.arch}`;

const filesOf = (folder: string) => ({ code: join(folder, 'code.bin'), list: join(folder, 'code.json') });

/** Returns the lookup of cached code by file name and source checksum. Each range is read on demand, so that the whole cache is never in memory. */
function openCodeCache(folder: string): (name: string, checksum: number) => Buffer | undefined {
  const files = filesOf(folder);
  // A missing index only slows the start down.
  const { by, places } = tryRead(() => JSON.parse(readFileSync(files.list, 'utf8')) as CacheIndex) ?? {};
  return (name, checksum) => {
    const entry = by === runtime ? places?.[name] : undefined;
    return entry?.text === checksum ? tryRead(() => readCachedCode(files.code, entry)) : undefined;
  };
}

function readCachedCode(file: string, { from, to, code }: CacheEntry): Buffer | undefined {
  const part = read(file, from, to);
  return crc32(part) === code ? part : undefined;
}

let sharedBuffer = new WeakRef(Buffer.alloc(0));

/** Reads into one shared buffer, so that the start does not allocate the size of all files again. The result is valid until the next call. */
function read(file: string, from = 0, to?: number): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const length = (to ?? fstatSync(descriptor).size) - from;
    let bytes = sharedBuffer.deref();
    if (!bytes || bytes.length < length) {
      bytes = Buffer.allocUnsafeSlow(length);
      sharedBuffer = new WeakRef(bytes);
    }
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, from));
  } finally {
    closeSync(descriptor);
  }
}

function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

interface CompiledFile {
  /** CRC-32 of the source text. */
  checksum: number;
  script: Script;
}

function writeCodeCache(folder: string, scripts: ReadonlyMap<string, CompiledFile>): void {
  // The program has changed some of them since its start.
  setFlags();
  const places: CacheIndex['places'] = {};
  const parts: Buffer[] = [];
  let from = 0;
  for (const [name, { checksum, script }] of scripts) {
    const code = script.createCachedData();
    const to = from + code.length;
    places[name] = { from, to, text: checksum, code: crc32(code) };
    parts.push(code);
    from = to;
  }
  const files = filesOf(folder);
  writeFileSync(files.code, Buffer.concat(parts));
  writeFileSync(files.list, JSON.stringify({ by: runtime, places }));
}

/**
 * Allocation sites whose objects once survived long are pretenured by V8, i.e. allocated in the old generation. Here these are the objects that
 * a request needs while it waits for the database. They die soon, but in the old generation they retain everything they reference, and scavenges
 * took five times as long.
 */
const noPretenuring = '--no-allocation-site-pretenuring';
/**
 * After eight seconds with little allocation, V8's memory reducer also discards optimised code, because hidden classes without a live
 * instance are collected. The next requests run three times as slow until the code is optimised again. The delay of 24 days disables it.
 */
const noMemoryReducer = '--gc-memory-reducer-start-delay-ms=2147483647';
/**
 * Disables the GC of compiled WebAssembly (embedded database, Prisma's query compiler). V8 in Node 24 may free a code block twice and then
 * crashes with "Check failed: jit_page_->allocations_.erase(addr) == 1" (nodejs/node#64500). The code that is retained is small.
 */
const noWasmCodeGc = '--no-wasm-code-gc';

/** Must precede any use of cached code: V8 rejects a cache that was written with other flags. */
function setFlags(): void {
  for (const flag of [noPretenuring, noMemoryReducer, noWasmCodeGc, ...heapGrowthLimiter.startFlags])
    setFlagsFromString(flag);
}

/** Loads a file of `folder` and its dependencies. Returns a function that writes the code cache of all files loaded until then. */
export function loadWithCodeCache(folder: string, program: string): () => void {
  setFlags();
  const codeOf = openCodeCache(folder);
  const requireExternal = createRequire(join(folder, program));
  const modules = new Map<string, LoadedModule>();
  const scripts = new Map<string, CompiledFile>();

  const require = (id: string): unknown => (id.startsWith('./') ? load(id.slice(2)) : requireExternal(id));

  function load(name: string): object {
    const cachedModule = modules.get(name);
    if (cachedModule) return cachedModule.exports;
    const module: LoadedModule = { exports: {} };
    modules.set(name, module);
    try {
      compile(name)(module.exports, require, module, join(folder, name), folder);
    } catch (error) {
      // A second require must run the file again, not return a partly initialised module.
      modules.delete(name);
      throw error;
    }
    return module.exports;
  }

  function compile(name: string): Program {
    const filename = join(folder, name);
    const bytes = read(filename);
    const checksum = crc32(bytes);
    // scripts/bundle.ts has written the file as a function in ASCII, so no wrapper or decoded copy is needed in memory.
    const script = new Script(bytes.toString('latin1'), { filename, cachedData: codeOf(name, checksum) });
    scripts.set(name, { checksum, script });
    return script.runInThisContext();
  }

  load(program);
  return () => writeCodeCache(folder, scripts);
}
