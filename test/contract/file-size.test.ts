/** Files hold one idea: none is long, and most are short. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const linesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('generated/'))
    .map((name) => ({
      file: `${folder}/${name}`,
      lines: readFileSync(`${folder}/${name}`, 'utf8').split('\n').length - 1,
    }))
    .sort((a, b) => a.lines - b.lines);

const over = (folder: string, most: number) => linesOf(folder).filter(({ lines }) => lines > most);

it('keeps sources within 250 lines, scripts and benchmarks too', () => {
  expect(['src', 'scripts', 'bench', 'prisma'].flatMap((folder) => over(folder, 250))).toEqual([]);
});

it('keeps most sources short', () => {
  const lines = linesOf('src').map((one) => one.lines);
  const at = (share: number) => lines[Math.floor(lines.length * share)] ?? 0;
  expect(at(0.5)).toBeLessThanOrEqual(65);
  expect(at(0.95)).toBeLessThanOrEqual(170);
});

it('keeps tests under 350 lines', () => {
  expect(over('test', 349)).toEqual([]);
});
