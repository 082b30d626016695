/**
 * Starts a bundled program with the code that V8 made of it when it was built: to compile it anew is a sixth of a start.
 * Code of another version of Node or another kind of machine is not taken but made anew, as is what was damaged: V8 looks at little more than
 * lengths, and falls over what it cannot run.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

interface Loaded {
  exports: object;
}

type Program = (
  exports: object,
  require: (id: string) => unknown,
  module: Loaded,
  file: string,
  folder: string,
) => void;

/** Where the code of a file lies among that of all, and the sums of both. */
interface Place {
  from: number;
  to: number;
  text: number;
  code: number;
}

interface Kept {
  by: string;
  places: Record<string, Place>;
}

const made = `${process.version} ${process.platform} ${process.arch}`;

const filesOf = (folder: string) => ({ code: join(folder, 'code.bin'), list: join(folder, 'code.json') });

/** The code that was kept for a text. Each part is read when it is asked for: none stays in memory beside what V8 makes of it. */
function keptCode(folder: string): (name: string, sum: number) => Buffer | undefined {
  const files = filesOf(folder);
  // Without it, it starts later.
  const { by, places } = orNothing(() => JSON.parse(readFileSync(files.list, 'utf8')) as Kept) ?? {};
  return (name, sum) => {
    const place = by === made ? places?.[name] : undefined;
    return place?.text === sum ? orNothing(() => partOf(files.code, place)) : undefined;
  };
}

function partOf(file: string, { from, to, code }: Place): Buffer | undefined {
  const part = read(file, from, to);
  return crc32(part) === code ? part : undefined;
}

let room = new WeakRef(Buffer.alloc(0));

/** One room for the files that are read in a row: a start should not leave behind as much again as it needs. Good until the next call. */
function read(file: string, from = 0, to?: number): Buffer {
  const open = openSync(file, 'r');
  try {
    const length = (to ?? fstatSync(open).size) - from;
    let bytes = room.deref();
    if (!bytes || bytes.length < length) {
      bytes = Buffer.allocUnsafeSlow(length);
      room = new WeakRef(bytes);
    }
    return bytes.subarray(0, readSync(open, bytes, 0, length, from));
  } finally {
    closeSync(open);
  }
}

function orNothing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

interface Compiled {
  /** Of its text. */
  sum: number;
  script: Script;
}

function keepCode(folder: string, scripts: ReadonlyMap<string, Compiled>): void {
  const places: Kept['places'] = {};
  const parts: Buffer[] = [];
  let from = 0;
  for (const [name, { sum, script }] of scripts) {
    const code = script.createCachedData();
    const to = from + code.length;
    places[name] = { from, to, text: sum, code: crc32(code) };
    parts.push(code);
    from = to;
  }
  const files = filesOf(folder);
  writeFileSync(files.code, Buffer.concat(parts));
  writeFileSync(files.list, JSON.stringify({ by: made, places }));
}

/**
 * V8 puts objects from places whose objects once lived long among the old ones at once. Here that is what a request needs while it waits
 * for the database: it is over soon, but among the old it holds all that it leads to, and every pause moves it: five times as long.
 */
const noneBornOld = '--no-allocation-site-pretenuring';
/**
 * V8 grows its memory only as far as looking through all of it takes less than 3 % of the time. That may be a tenth, and then it begins anew
 * whenever it has ended: each time everybody waits. It may always grow as far as V8 goes at most, to four times of what is in use.
 */
const rarelyLookedThrough = '--heap-growing-percent=300';
/**
 * When little has been asked for in eight seconds, V8 gives memory back, and with it the code that it made of what is often run: it forgets the
 * shapes of objects of which none is alive just then. Who comes next meets code three times as slow until it is made anew. So it waits for weeks.
 */
const nothingForgotten = '--gc-memory-reducer-start-delay-ms=2147483647';
/**
 * Compiled WebAssembly, which the embedded database and Prisma's compiler are, stays for good. V8 of Node 24 may throw a part of it away
 * twice, and ends the process with "Check failed: jit_page_->allocations_.erase(addr) == 1" (nodejs/node#64500). It is little that stays.
 */
const nothingThrownAway = '--no-wasm-code-gc';

/** Loads a file of `folder` and what it asks for. Returns what keeps the code of all that was loaded until then. */
export function launch(folder: string, program: string): () => void {
  // Before any code is taken: it is kept for one set of flags.
  const flags = [noneBornOld, rarelyLookedThrough, nothingForgotten, nothingThrownAway];
  for (const flag of flags) setFlagsFromString(flag);
  const codeOf = keptCode(folder);
  const outside = createRequire(join(folder, program));
  const loaded = new Map<string, Loaded>();
  const scripts = new Map<string, Compiled>();

  const require = (id: string): unknown => (id.startsWith('./') ? load(id.slice(2)) : outside(id));

  function load(name: string): object {
    const known = loaded.get(name);
    if (known) return known.exports;
    const module: Loaded = { exports: {} };
    loaded.set(name, module);
    try {
      compiled(name)(module.exports, require, module, join(folder, name), folder);
    } catch (error) {
      // Who asks again must not get half of it.
      loaded.delete(name);
      throw error;
    }
    return module.exports;
  }

  function compiled(name: string): Program {
    const filename = join(folder, name);
    const bytes = read(filename);
    const sum = crc32(bytes);
    // It is a function already, and plain ASCII (scripts/bundle.ts): put together here, it would be in memory twice.
    const script = new Script(bytes.toString('latin1'), { filename, cachedData: codeOf(name, sum) });
    scripts.set(name, { sum, script });
    return script.runInThisContext();
  }

  load(program);
  return () => keepCode(folder, scripts);
}
