/** File size limits of sources, scripts and tests. */
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

const longerThan = (folder: string, maxLines: number) =>
  linesOf(folder).filter(({ lines }) => lines > maxLines);

it('limits sources, scripts and benchmarks to 250 lines', () => {
  expect(['src', 'scripts', 'bench', 'prisma'].flatMap((folder) => longerThan(folder, 250))).toEqual([]);
});

it('keeps the median and the 95th percentile of sources short', () => {
  const lines = linesOf('src').map((file) => file.lines);
  const percentile = (share: number) => lines[Math.floor(lines.length * share)] ?? 0;
  expect(percentile(0.5)).toBeLessThanOrEqual(65);
  expect(percentile(0.95)).toBeLessThanOrEqual(190);
});

it('limits tests to 349 lines', () => {
  expect(longerThan('test', 349)).toEqual([]);
});
