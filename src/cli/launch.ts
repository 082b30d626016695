/**
 * Starts a bundled program with the code that V8 made of it when it was built: to compile it anew takes a third of a start.
 * Code of another version of Node is not taken, and made anew.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';

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

/** Where the code of each file lies among that of all. */
type Places = Record<string, [from: number, to: number]>;

/** Loads a file of `folder` and what it asks for. Returns what keeps the code of all that was loaded until then. */
export function launch(folder: string, program: string): () => void {
  const [codeFile, placesFile] = [join(folder, 'code.bin'), join(folder, 'code.json')];
  const code = existsSync(placesFile) ? readFileSync(codeFile) : undefined;
  const places: Places = code ? JSON.parse(readFileSync(placesFile, 'utf8')) : {};
  const outside = createRequire(join(folder, program));
  const loaded = new Map<string, Loaded>();
  const scripts = new Map<string, Script>();

  const require = (id: string): unknown => (id.startsWith('./') ? load(id.slice(2)) : outside(id));

  function load(name: string): object {
    const known = loaded.get(name);
    if (known) return known.exports;
    const module: Loaded = { exports: {} };
    loaded.set(name, module);
    const filename = join(folder, name);
    const place = places[name];
    const script = new Script(
      `(function (exports, require, module, __filename, __dirname) {${readFileSync(filename, 'utf8')}\n})`,
      { filename, cachedData: place && code?.subarray(...place) },
    );
    scripts.set(name, script);
    const run: Program = script.runInThisContext();
    run(module.exports, require, module, filename, folder);
    return module.exports;
  }

  load(program);
  return () => {
    const kept: Places = {};
    const parts: Buffer[] = [];
    let end = 0;
    for (const [name, script] of scripts) {
      const made = script.createCachedData();
      kept[name] = [end, end + made.length];
      end += made.length;
      parts.push(made);
    }
    writeFileSync(codeFile, Buffer.concat(parts));
    writeFileSync(placesFile, JSON.stringify(kept));
  };
}
