/** CSV: what goes out comes in again as it was, in any cut, and no spreadsheet runs it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  escapeCsvFormula,
  formatCsvRecord,
  parseCsvRecord,
  unescapeCsvFormula,
} from '../../src/domains/bulk/files/csv.ts';
import {
  decodeLine,
  formatHeaderLine,
  formatLine,
  parseCsvHeader,
  parseLine,
} from '../../src/domains/bulk/files/record-lines.ts';
import { maxRecordBytes, type RawRecord, splitRecords } from '../../src/domains/bulk/files/split-records.ts';

const nasty = fc.string({
  unit: fc.constantFrom('"', ',', '\r', '\n', "'", '=', '-', '@', '\t', 'a', 'é', '🙂', ' '),
});
const columns = { a: 'text', b: 'text', c: 'json' } as const;

/** The file, as a store hands it over: cut anywhere. */
async function* cut(bytes: Buffer, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function recordsOf(
  text: string | Buffer,
  isQuoted: boolean,
  length = 7,
  from = { position: 0, line: 0 },
) {
  const found: RawRecord[] = [];
  const bytes = Buffer.from(text).subarray(from.position);
  for await (const record of splitRecords(cut(bytes, length), { isQuoted, from })) found.push(record);
  return found;
}

it('reads the cells that it writes', () => {
  fc.assert(
    fc.property(fc.array(nasty, { minLength: 1, maxLength: 4 }), (cells) => {
      expect(parseCsvRecord(formatCsvRecord(cells).replace(/\r\n$/, ''))).toEqual(cells);
    }),
  );
});

it('guards formulas, and gives every text back', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      expect(escapeCsvFormula(text)).not.toMatch(/^[=+\-@\t\r\n]/);
      expect(unescapeCsvFormula(escapeCsvFormula(text))).toBe(text);
    }),
  );
});

it('gives records back in both formats, wherever the file is cut and whichever of them one begins with', async () => {
  const record = fc.record({ a: nasty, b: nasty, c: fc.array(nasty, { maxLength: 2 }) });
  const property = fc.asyncProperty(
    fc.array(record, { minLength: 1, maxLength: 4 }),
    fc.integer({ min: 1, max: 9 }),
    fc.constantFrom('CSV' as const, 'JSONL' as const),
    async (records, length, format) => {
      const isQuoted = format === 'CSV';
      const file =
        formatHeaderLine(format, columns) + records.map((one) => formatLine(format, columns, one)).join('');
      const raw = await recordsOf(file, isQuoted, length);
      const header = isQuoted
        ? parseCsvHeader(decodeLine(raw[0]?.bytes ?? Buffer.from('')), columns)
        : undefined;
      const lines = raw.slice(isQuoted ? 1 : 0);
      const read = lines.map(({ bytes }) => parseLine(decodeLine(bytes ?? Buffer.from('')), columns, header));
      // An empty cell is a field that is not there.
      const full = (one: object) =>
        Object.fromEntries(Object.entries(one).filter(([, value]) => value !== ''));
      expect(read.map(full)).toEqual(records.map(full));
      expect(lines.at(-1)?.endPosition).toBe(Buffer.byteLength(file));
      const [first, ...others] = lines;
      if (first)
        expect(
          await recordsOf(file, isQuoted, length, { position: first.endPosition, line: first.lastLine }),
        ).toEqual(others);
    },
  );
  await fc.assert(property, { numRuns: 60 });
});

it('takes a byte order mark and either end of line', async () => {
  const [head, line] = await recordsOf('\ufeffa,b\r\n1,2\n', true);
  expect(parseCsvHeader(decodeLine(head?.bytes ?? Buffer.from('')), columns)).toEqual(['a', 'b']);
  expect(decodeLine(line?.bytes ?? Buffer.from(''))).toBe('1,2');
});

it.each([
  ['a,b\n"1', { fault: 'A quoted cell does not end.' }],
  ['a,b\n1"2,3', { fault: 'A cell with quotes must itself be quoted, and they doubled.' }],
  ['a,b\n"1"2,3', { fault: 'After a quoted cell there must be a comma.' }],
])('refuses %j', (text, fault) => {
  expect(parseCsvRecord(text.split('\n')[1] ?? '')).toEqual(fault);
});

it('loses one record to an open quote or an endless line, not the file', async () => {
  const file = `a\n"${'x\n'.repeat(maxRecordBytes / 2)}next\n`;
  const records = await recordsOf(file, true, 65_536);
  expect(records.slice(0, 2).map(({ firstLine: line, bytes }) => [line, bytes?.length])).toEqual([
    [1, 2],
    [2, undefined],
  ]);
  expect(records.at(-1)?.bytes?.toString()).toBe('next\n');
});
