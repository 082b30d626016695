/** Round trip of records through CSV and JSONL, for any chunking of the stream; formula escaping; syntax errors. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  escapeCsvFormula,
  formatCsvRecord,
  parseCsvRecord,
  unescapeCsvFormula,
} from '../../src/domains/bulk/files/csv.ts';
import {
  decodeImportLine,
  formatExportHeaderLine,
  formatExportLine,
  parseCsvHeader,
  parseImportLine,
} from '../../src/domains/bulk/files/import-and-export-lines.ts';
import {
  maxImportRecordBytes,
  type RawImportRecord,
  splitRecords,
} from '../../src/domains/bulk/files/split-records.ts';

const csvText = fc.string({
  unit: fc.constantFrom('"', ',', '\r', '\n', "'", '=', '-', '@', '\t', 'a', 'é', '🙂', ' '),
});
const columns = { a: 'text', b: 'text', c: 'json' } as const;

/** Stream of the bytes in chunks of `length`. */
async function* chunked(bytes: Buffer, length: number) {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

async function recordsOf(
  text: string | Buffer,
  isQuoted: boolean,
  length = 7,
  from = { position: 0, line: 0 },
) {
  const records: RawImportRecord[] = [];
  const bytes = Buffer.from(text).subarray(from.position);
  for await (const record of splitRecords(chunked(bytes, length), { isQuoted, from })) records.push(record);
  return records;
}

it('reads the cells that it writes', () => {
  fc.assert(
    fc.property(fc.array(csvText, { minLength: 1, maxLength: 4 }), (cells) => {
      expect(parseCsvRecord(formatCsvRecord(cells).replace(/\r\n$/, ''))).toEqual(cells);
    }),
  );
});

it.each([';=1+1', 'a;=1+1', 'a;;@x', '＝1+1', '＋1', '－1', '＠x', 'a\t=1', '\t=1', "';=1"])(
  'escapes the formula in %j for spreadsheets of every locale',
  (text) => {
    expect(escapeCsvFormula(text)).not.toMatch(/(?:^|[;\t])[=+\-@＝＋－＠\t\r\n]/);
    expect(unescapeCsvFormula(escapeCsvFormula(text))).toBe(text);
  },
);

it('escapes formulas, and restores every text', () => {
  fc.assert(
    fc.property(csvText, (text) => {
      expect(escapeCsvFormula(text)).not.toMatch(/(?:^|[;\t])[=+\-@＝＋－＠\t\r\n]/);
      expect(unescapeCsvFormula(escapeCsvFormula(text))).toBe(text);
    }),
  );
});

it('restores records in both formats, for any chunk size and start position', async () => {
  const record = fc.record({ a: csvText, b: csvText, c: fc.array(csvText, { maxLength: 2 }) });
  const property = fc.asyncProperty(
    fc.array(record, { minLength: 1, maxLength: 4 }),
    fc.integer({ min: 1, max: 9 }),
    fc.constantFrom('CSV' as const, 'JSONL' as const),
    async (records, length, format) => {
      const isQuoted = format === 'CSV';
      const file =
        formatExportHeaderLine(format, columns) +
        records.map((fields) => formatExportLine(format, columns, fields)).join('');
      const raw = await recordsOf(file, isQuoted, length);
      const header = isQuoted
        ? parseCsvHeader(decodeImportLine(raw[0]?.bytes ?? Buffer.from('')), columns)
        : undefined;
      const lines = raw.slice(isQuoted ? 1 : 0);
      const read = lines.map(({ bytes }) =>
        parseImportLine(decodeImportLine(bytes ?? Buffer.from('')), columns, header),
      );
      // An empty cell is an absent field.
      const withoutEmpty = (record: object) =>
        Object.fromEntries(Object.entries(record).filter(([, value]) => value !== ''));
      expect(read.map(withoutEmpty)).toEqual(records.map(withoutEmpty));
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

it('accepts a byte order mark and both line endings', async () => {
  const [head, line] = await recordsOf('\ufeffa,b\r\n1,2\n', true);
  expect(parseCsvHeader(decodeImportLine(head?.bytes ?? Buffer.from('')), columns)).toEqual(['a', 'b']);
  expect(decodeImportLine(line?.bytes ?? Buffer.from(''))).toBe('1,2');
});

it.each([
  ['a,b\n"1', { error: 'A quoted cell has no closing quote.' }],
  ['a,b\n1"2,3', { error: 'A cell that contains quotes must be quoted, with its quotes doubled.' }],
  ['a,b\n"1"2,3', { error: 'A quoted cell must be followed by a comma.' }],
])('rejects %j', (text, error) => {
  expect(parseCsvRecord(text.split('\n')[1] ?? '')).toEqual(error);
});

it('rejects one record for an unclosed quote or an overlong line, not the rest of the file', async () => {
  const file = `a\n"${'x\n'.repeat(maxImportRecordBytes / 2)}next\n`;
  const records = await recordsOf(file, true, 65_536);
  expect(records.slice(0, 2).map(({ firstLine: line, bytes }) => [line, bytes?.length])).toEqual([
    [1, 2],
    [2, undefined],
  ]);
  expect(records.at(-1)?.bytes?.toString()).toBe('next\n');
});
