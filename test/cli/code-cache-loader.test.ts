import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { launch } from '../../src/cli/code-cache-loader.ts';

const heard = globalThis as { heard?: string[] };
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-launch-'));
  heard.heard = [];
  await writeProgram(
    'main.cjs',
    `const { basename } = require('node:path'); const other = require('./other.cjs');
    heard.push(basename(__filename), other.name, require('./other.cjs') === other);`,
  );
  await writeProgram(
    'other.cjs',
    `const main = require('./main.cjs'); exports.name = 'other ' + typeof main;`,
  );
});

/** As scripts/bundle.ts writes them. */
const writeProgram = (name: string, text: string) =>
  writeFile(join(folder, name), `(function (exports, require, module, __filename, __dirname) {${text}\n})`);

/** Of each file that is loaded from here on whether V8 refused its code; undefined: it was given none. */
function rejected(): (boolean | undefined)[] {
  const seen: (boolean | undefined)[] = [];
  const { runInThisContext } = Script.prototype;
  vi.spyOn(Script.prototype, 'runInThisContext').mockImplementation(function (this: Script) {
    seen.push(this.cachedDataRejected);
    return runInThisContext.call(this);
  });
  return seen;
}

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

async function changed(name: string, change: (content: Buffer) => Buffer): Promise<void> {
  await writeFile(join(folder, name), change(await readFile(join(folder, name))));
}

const textOf = (content: Buffer, from: string, to: string) =>
  Buffer.from(content.toString().replace(from, to));

const asWritten = ['main.cjs', 'other object', true];

test('runs a program of several files that ask for each other', () => {
  launch(folder, 'main.cjs');
  expect(heard.heard).toEqual(asWritten);
});

test('runs it from the code that was kept', async () => {
  launch(folder, 'main.cjs')();
  const { places } = JSON.parse(await readFile(join(folder, 'code.json'), 'utf8'));
  expect(Object.keys(places)).toEqual(['main.cjs', 'other.cjs']);
  heard.heard = [];
  const taken = rejected();
  launch(folder, 'main.cjs');
  expect(heard.heard).toEqual(asWritten);
  expect(taken).toEqual([false, false]);
});

test('runs what is written there now, be it as long as before', async () => {
  launch(folder, 'main.cjs')();
  heard.heard = [];
  // V8 would look at the length of a text only.
  const text = await readFile(join(folder, 'other.cjs'), 'utf8');
  await writeFile(join(folder, 'other.cjs'), text.replace('other ', 'twist '));
  launch(folder, 'main.cjs');
  expect(heard.heard).toEqual(['main.cjs', 'twist object', true]);
});

const [codeFile, placesFile] = ['code.bin', 'code.json'];

test.each<[string, () => Promise<unknown>]>([
  [
    'is broken in one place',
    () => changed(codeFile, (code) => code.fill(7, code.length - 40, code.length - 30)),
  ],
  ['is broken altogether', () => changed(codeFile, (code) => code.fill(7))],
  ['is cut short', () => changed(codeFile, (code) => code.subarray(0, 100))],
  ['is not there', () => rm(join(folder, codeFile))],
  ['is nowhere to be found', () => rm(join(folder, placesFile))],
  ['is listed in half a list', () => changed(placesFile, (list) => list.subarray(0, 20))],
  [
    'is of another version of Node',
    () => changed(placesFile, (list) => textOf(list, process.version, 'v20.0.0')),
  ],
  ['is of another kind of machine', () => changed(placesFile, (list) => textOf(list, process.arch, 'z80'))],
])('runs it without code that %s', async (_what, spoil) => {
  launch(folder, 'main.cjs')();
  await spoil();
  heard.heard = [];
  const taken = rejected();
  launch(folder, 'main.cjs');
  expect(heard.heard).toEqual(asWritten);
  expect(taken.at(-1)).toBeUndefined();
});

test('a file that fails fails again, for whoever asks for it later', async () => {
  await writeProgram(
    'main.cjs',
    `for (const _ of [1, 2]) try { heard.push(require('./other.cjs')); } catch ({ message }) { heard.push(message); }`,
  );
  await writeProgram('other.cjs', `exports.isHalf = true; throw new Error('not today');`);
  launch(folder, 'main.cjs');
  expect(heard.heard).toEqual(['not today', 'not today']);
});

test('programs keep to what modules keep to', async () => {
  const names = (await readdir(inject('programs'))).filter((name) => name.endsWith('.cjs'));
  expect(names.length).toBeGreaterThan(20);
  for (const name of names)
    expect(await readFile(join(inject('programs'), name), 'utf8'), name).toMatch(
      /^\(function \([\w, ]+\) \{"use strict";/,
    );
});

test('a build keeps the code of all that a start needs', async () => {
  const { places } = JSON.parse(await readFile(join(inject('programs'), 'code.json'), 'utf8'));
  const names = Object.keys(places).map((name) => name.replace(/(-[\w-]{8})?\.cjs$/, ''));
  expect(names).toEqual(expect.arrayContaining(['main', 'start', 'open', 'serve', 'app']));
});
