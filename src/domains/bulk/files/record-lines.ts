/** Records as lines of a file, and lines as the fields they hold: the same in both formats. Pure. */
import { type ErrorDetail, validationError, validationErrorFrom } from '../../../errors.ts';
import { assertJsonDepth } from '../../../lib/json/json-depth.ts';
import type { BulkFormat } from '../model.ts';
import type { ColumnType, RecordFields } from '../resources/resource-handler.ts';
import { escapeCsvFormula, formatCsvRecord, parseCsvRecord, unescapeCsvFormula } from './csv.ts';

type Columns = Readonly<Record<string, ColumnType>>;

/** Known to everybody who got the record from us, and not theirs to say. */
const ignored = new Set(['businessId', 'version', 'createdAt', 'updatedAt']);

const fault = (field: string, error: ErrorDetail['error'], message: string) => ({ field, error, message });
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** What cannot be kept as text: no byte order, no half characters, no NUL. */
export function decodeLine(bytes: Uint8Array): string {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw validationError(fault('', 'INVALID_TEXT', 'The line is not UTF-8.'));
  }
  return text.replace(/\r?\n$/, '');
}

/** The names of the columns, as the first line of CSV has them. */
export function parseCsvHeader(text: string, columns: Columns): string[] {
  const cells = parseCsvRecord(text);
  if (!Array.isArray(cells)) throw validationError(fault('', 'INVALID_FORMAT', cells.fault));
  const names = cells.map((cell) => cell.trim());
  const faults = names.flatMap((name, index) => {
    if (!Object.hasOwn(columns, name) && !ignored.has(name))
      return [fault(name, 'UNKNOWN_FIELD', `There is no column ${JSON.stringify(name.slice(0, 100))}.`)];
    return names.indexOf(name) < index ? [fault(name, 'DUPLICATE_ID', 'The column is there twice.')] : [];
  });
  if (faults.length > 0) throw validationErrorFrom(faults);
  return names;
}

/** The fields of a line. Of CSV an empty cell is a field that is not there. */
export function parseLine(
  text: string,
  columns: Columns,
  header: readonly string[] | undefined,
): RecordFields {
  const fields = header ? csvFields(text, columns, header) : jsonFields(text);
  const unknown = Object.keys(fields).filter((name) => !Object.hasOwn(columns, name) && !ignored.has(name));
  if (unknown.length > 0)
    throw validationErrorFrom(unknown.map((name) => fault(name, 'UNKNOWN_FIELD', 'There is no such field.')));
  const nul = Object.entries(fields).find(([, value]) => hasBadText(value));
  if (nul)
    throw validationError(fault(nul[0], 'INVALID_TEXT', 'The text holds characters that cannot be stored.'));
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => !ignored.has(name) && columns[name] !== 'onlyTold'),
  );
}

const hasBadText = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes('\0') || !value.isWellFormed()
    : typeof value === 'object' && value !== null
      ? Object.entries(value).some(([key, inner]) => hasBadText(key) || hasBadText(inner))
      : false;

function jsonFields(text: string): RecordFields {
  assertJsonDepth(Buffer.from(text));
  const value = parsedJson(text, '');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw validationError(fault('', 'INVALID_TYPE', 'The line must be a JSON object.'));
  return value as RecordFields;
}

function parsedJson(text: string, field: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw validationError(fault(field, 'INVALID_FORMAT', 'This is not valid JSON.'));
  }
}

function csvFields(text: string, columns: Columns, header: readonly string[]): RecordFields {
  const cells = parseCsvRecord(text);
  if (!Array.isArray(cells)) throw validationError(fault('', 'INVALID_FORMAT', cells.fault));
  if (cells.length !== header.length)
    throw validationError(
      fault('', 'INVALID_FORMAT', `There are ${cells.length} cells for ${header.length} columns.`),
    );
  return Object.fromEntries(
    header.flatMap((name, index) => {
      const cell = cells[index] ?? '';
      return cell === '' ? [] : [[name, cellValue(cell, columns[name] ?? 'onlyTold', name)]];
    }),
  );
}

function cellValue(cell: string, column: ColumnType, name: string): unknown {
  if (column === 'text') return unescapeCsvFormula(cell);
  if (column === 'onlyTold') return cell;
  assertJsonDepth(Buffer.from(cell));
  return parsedJson(cell, name);
}

export const formatHeaderLine = (format: BulkFormat, columns: Columns): string =>
  format === 'CSV' ? formatCsvRecord(Object.keys(columns)) : '';

export function formatLine(format: BulkFormat, columns: Columns, fields: RecordFields): string {
  const told = Object.keys(columns).map((name): [string, unknown] => [name, fields[name]]);
  if (format === 'JSONL') return `${JSON.stringify(Object.fromEntries(told))}\n`;
  return formatCsvRecord(told.map(([name, value]) => cellOf(value, columns[name] ?? 'text')));
}

function cellOf(value: unknown, column: ColumnType): string {
  if (value === undefined || value === null) return '';
  if (column === 'json') return JSON.stringify(value);
  return typeof value === 'string' ? escapeCsvFormula(value) : String(value);
}
