/** The code cache loader runs programs from cached V8 code, and ignores a cache that is missing, damaged or of another runtime. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { loadWithCodeCache } from '../../src/vendor/v8/code-cache-loader.ts';

// Seen on Node 20.
const shared = globalThis as { output?: string[] };
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-launch-'));
  shared.output = [];
  await writeProgram(
    'main.cjs',
    `const { basename } = require('node:path'); const other = require('./other.cjs');
    output.push(basename(__filename), other.name, require('./other.cjs') === other);`,
  );
  await writeProgram(
    'other.cjs',
    `const main = require('./main.cjs'); exports.name = 'other ' + typeof main;`,
  );
});

/** Writes a file in the format of scripts/bundle.ts. */
const writeProgram = (name: string, text: string) =>
  writeFile(join(folder, name), `(function (exports, require, module, __filename, __dirname) {${text}\n})`);

/** Records for each loaded file whether V8 rejected its cached code; undefined without cached code. */
function recordRejections(): (boolean | undefined)[] {
  const rejections: (boolean | undefined)[] = [];
  const { runInThisContext } = Script.prototype;
  vi.spyOn(Script.prototype, 'runInThisContext').mockImplementation(function (this: Script) {
    rejections.push(this.cachedDataRejected);
    return runInThisContext.call(this);
  });
  return rejections;
}

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

async function changeFile(name: string, change: (content: Buffer) => Buffer): Promise<void> {
  await writeFile(join(folder, name), change(await readFile(join(folder, name))));
}

const replaceText = (content: Buffer, from: string, to: string) =>
  Buffer.from(content.toString().replace(from, to));

const expectedOutput = ['main.cjs', 'other object', true];

test('runs a program of several files with circular requires', () => {
  loadWithCodeCache(folder, 'main.cjs');
  expect(shared.output).toEqual(expectedOutput);
});

test('runs a program from cached code', async () => {
  loadWithCodeCache(folder, 'main.cjs')();
  const { places: entries } = JSON.parse(await readFile(join(folder, 'code.json'), 'utf8'));
  expect(Object.keys(entries)).toEqual(['main.cjs', 'other.cjs']);
  shared.output = [];
  const rejections = recordRejections();
  loadWithCodeCache(folder, 'main.cjs');
  expect(shared.output).toEqual(expectedOutput);
  expect(rejections).toEqual([false, false]);
});

test('runs changed source, even of the same length', async () => {
  loadWithCodeCache(folder, 'main.cjs')();
  shared.output = [];
  // V8 itself checks only the length of the source.
  const text = await readFile(join(folder, 'other.cjs'), 'utf8');
  await writeFile(join(folder, 'other.cjs'), text.replace('other ', 'twist '));
  loadWithCodeCache(folder, 'main.cjs');
  expect(shared.output).toEqual(['main.cjs', 'twist object', true]);
});

const [codeFile, placesFile] = ['code.bin', 'code.json'];

test.each<[string, () => Promise<unknown>]>([
  [
    'is damaged in one place',
    () => changeFile(codeFile, (code) => code.fill(7, code.length - 40, code.length - 30)),
  ],
  ['is damaged completely', () => changeFile(codeFile, (code) => code.fill(7))],
  ['is truncated', () => changeFile(codeFile, (code) => code.subarray(0, 100))],
  ['is missing', () => rm(join(folder, codeFile))],
  ['has no index', () => rm(join(folder, placesFile))],
  ['has a truncated index', () => changeFile(placesFile, (list) => list.subarray(0, 20))],
  [
    'was written by another version of Node',
    () => changeFile(placesFile, (list) => replaceText(list, process.version, 'v20.0.0')),
  ],
  [
    'was written on another architecture',
    () => changeFile(placesFile, (list) => replaceText(list, process.arch, 'z80')),
  ],
])('ignores cached code that %s', async (_what, damage) => {
  loadWithCodeCache(folder, 'main.cjs')();
  await damage();
  shared.output = [];
  const rejections = recordRejections();
  loadWithCodeCache(folder, 'main.cjs');
  expect(shared.output).toEqual(expectedOutput);
  expect(rejections.at(-1)).toBeUndefined();
});

test('a file that throws is executed again by the next require', async () => {
  await writeProgram(
    'main.cjs',
    `for (const _ of [1, 2]) try { output.push(require('./other.cjs')); } catch ({ message }) { output.push(message); }`,
  );
  await writeProgram('other.cjs', `exports.isHalf = true; throw new Error('not today');`);
  loadWithCodeCache(folder, 'main.cjs');
  expect(shared.output).toEqual(['not today', 'not today']);
});

test('bundled files run in strict mode', async () => {
  const names = (await readdir(inject('programs'))).filter((name) => name.endsWith('.cjs'));
  expect(names.length).toBeGreaterThan(20);
  for (const name of names)
    expect(await readFile(join(inject('programs'), name), 'utf8'), name).toMatch(
      /^\(function \([\w, ]+\) \{"use strict";/,
    );
});

test('a build caches the code of all files that the start needs', async () => {
  const { places: entries } = JSON.parse(await readFile(join(inject('programs'), 'code.json'), 'utf8'));
  const names = Object.keys(entries).map((name) => name.replace(/(-[\w-]{8})?\.cjs$/, ''));
  expect(names).toEqual(
    expect.arrayContaining(['main', 'start-command', 'open-db', 'migrate-and-serve', 'app']),
  );
});

test('sets flags that this version of V8 has', async () => {
  const files = ['code-cache-loader.ts', 'heap-growth-limits.ts'];
  const sources = await Promise.all(files.map((file) => readFile(join('src/vendor/v8', file), 'utf8')));
  const flags = [...sources.join('').matchAll(/= '(--[\w=-]+)'/g)].map(([, flag = '']) => flag);
  expect(flags).toHaveLength(5);
  // Node exits with code 9 on a flag that neither Node nor V8 has.
  expect(spawnSync(process.execPath, [...flags, '-e', '0']).status).toBe(0);
});
