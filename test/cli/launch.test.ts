import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, inject, test } from 'vitest';
import { launch } from '../../src/cli/launch.ts';

const heard = globalThis as { heard?: string[] };
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-launch-'));
  heard.heard = [];
  await writeFile(
    join(folder, 'main.cjs'),
    `const { basename } = require('node:path'); const other = require('./other.cjs');
    heard.push(basename(__filename), other.name, require('./other.cjs') === other);`,
  );
  await writeFile(
    join(folder, 'other.cjs'),
    `const main = require('./main.cjs'); exports.name = 'other ' + typeof main;`,
  );
});

const asWritten = ['main.cjs', 'other object', true];

test('runs a program of several files that ask for each other', () => {
  launch(folder, 'main.cjs');
  expect(heard.heard).toEqual(asWritten);
});

test('runs it from the code that was kept', async () => {
  launch(folder, 'main.cjs')();
  const places = JSON.parse(await readFile(join(folder, 'code.json'), 'utf8'));
  expect(Object.keys(places)).toEqual(['main.cjs', 'other.cjs']);
  heard.heard = [];
  // V8 looks at the length of a text only: what answers is the code that was made of it before.
  const text = await readFile(join(folder, 'other.cjs'), 'utf8');
  await writeFile(join(folder, 'other.cjs'), text.replace('other ', 'twist '));
  launch(folder, 'main.cjs');
  expect(heard.heard).toEqual(asWritten);
});

test('runs it without, where that is of another version or broken', async () => {
  launch(folder, 'main.cjs')();
  const code = await readFile(join(folder, 'code.bin'));
  await writeFile(join(folder, 'code.bin'), code.fill(7));
  heard.heard = [];
  launch(folder, 'main.cjs');
  expect(heard.heard).toEqual(asWritten);
});

test('a build keeps the code of all that a start needs', async () => {
  const places = JSON.parse(await readFile(join(inject('programs'), 'code.json'), 'utf8'));
  const names = Object.keys(places).map((name) => name.replace(/(-[\w-]{8})?\.cjs$/, ''));
  expect(names).toEqual(expect.arrayContaining(['main', 'start', 'open', 'serve', 'app']));
});
