/**
 * Starts a bundled program with the code that V8 made of it when it was built: to compile it anew is a sixth of a start.
 * Code of another version of Node or another kind of machine is not taken but made anew, as is what was damaged: V8 looks at little more than
 * lengths, and falls over what it cannot run.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
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

/** Where the code of each file lies among that of all, and the sums of both. */
type Places = Record<string, { from: number; to: number; text: number; code: number }>;

const made = `${process.version} ${process.platform} ${process.arch}`;

const filesOf = (folder: string) => ({ code: join(folder, 'code.bin'), list: join(folder, 'code.json') });

/** The code that was kept for a text. */
function keptCode(folder: string): (name: string, text: Buffer) => Buffer | undefined {
  const files = filesOf(folder);
  try {
    const { by, places }: { by: string; places: Places } = JSON.parse(readFileSync(files.list, 'utf8'));
    const all = readFileSync(files.code);
    return (name, text) => {
      const place = by === made ? places[name] : undefined;
      if (!place || place.text !== crc32(text)) return undefined;
      const code = all.subarray(place.from, place.to);
      return place.code === crc32(code) ? code : undefined;
    };
  } catch {
    // It starts without, only later.
    return () => undefined;
  }
}

interface Compiled {
  text: Buffer;
  script: Script;
}

function keepCode(folder: string, scripts: ReadonlyMap<string, Compiled>): void {
  const places: Places = {};
  const parts: Buffer[] = [];
  let from = 0;
  for (const [name, { text, script }] of scripts) {
    const code = script.createCachedData();
    const to = from + code.length;
    places[name] = { from, to, text: crc32(text), code: crc32(code) };
    parts.push(code);
    from = to;
  }
  const files = filesOf(folder);
  writeFileSync(files.code, Buffer.concat(parts));
  writeFileSync(files.list, JSON.stringify({ by: made, places }));
}

/** Loads a file of `folder` and what it asks for. Returns what keeps the code of all that was loaded until then. */
export function launch(folder: string, program: string): () => void {
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
    const text = readFileSync(filename);
    const script = new Script(
      `(function (exports, require, module, __filename, __dirname) {${text.toString('utf8')}\n})`,
      { filename, cachedData: codeOf(name, text) },
    );
    scripts.set(name, { text, script });
    return script.runInThisContext();
  }

  load(program);
  return () => keepCode(folder, scripts);
}
