/** Conversion between record fields and lines of a file, in JSONL and CSV. Pure. */
import {
  type ErrorDetail,
  isErrorDetailLimitReached,
  validationError,
  validationErrorFrom,
} from '../../../errors.ts';
import { assertJsonBytes } from '../../../lib/json/json-bytes.ts';
import { findJsonRecordProblem, isTooLongMessage } from '../../../lib/json/json-limits.ts';
import { formatSuggestion } from '../../../lib/text/closest-name.ts';
import type { BulkFormat } from '../model.ts';
import type { BulkColumnType, BulkRecordFields } from '../resources/resource-handler.ts';
import { escapeCsvFormula, formatCsvRecord, parseCsvRecord, unescapeCsvFormula } from './csv.ts';

type Columns = Readonly<Record<string, BulkColumnType>>;

/** Fields of exported records that an import accepts and ignores. */
const ignoredFields = new Set(['businessId', 'version', 'createdAt', 'updatedAt']);

const lineDetail = (field: string, error: ErrorDetail['error'], message: string) => ({
  field,
  error,
  message,
});
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes strict UTF-8, without a byte order mark and the line ending. */
export function decodeImportLine(bytes: Uint8Array): string {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw validationError('', 'INVALID_TEXT', 'The line is not valid UTF-8.');
  }
  return text.replace(/\r?\n$/, '');
}

/** Column names from the first line of a CSV file. */
export function parseCsvHeader(text: string, columns: Columns): string[] {
  const cells = parseCsvRecord(text);
  if (!Array.isArray(cells)) throw validationError('', 'INVALID_FORMAT', cells.error);
  const names = new Set<string>();
  const errors: ErrorDetail[] = [];
  for (const cell of cells) {
    const name = cell.trim();
    if (isUnknown(name, columns))
      errors.push(lineDetail(name, 'UNKNOWN_FIELD', describeUnknownColumn(name, columns)));
    else if (names.has(name)) errors.push(lineDetail(name, 'DUPLICATE_ID', 'The column occurs twice.'));
    if (isErrorDetailLimitReached(errors)) break;
    names.add(name);
  }
  if (errors.length > 0) throw validationErrorFrom(errors);
  return [...names];
}

const isUnknown = (name: string, columns: Columns) =>
  !Object.hasOwn(columns, name) && !ignoredFields.has(name);

function describeUnknownColumn(name: string, columns: Columns): string {
  const names = Object.keys(columns);
  const suggestion = formatSuggestion(name, names) || ` The columns are ${names.join(', ')}.`;
  return `Unknown column ${JSON.stringify(name.slice(0, 100))}.${suggestion}`;
}

/** Fields of a line. An empty CSV cell is an absent field. */
export function parseImportLine(
  text: string,
  columns: Columns,
  header: readonly string[] | undefined,
): BulkRecordFields {
  const fields = header ? csvFields(text, columns, header) : jsonFields(text);
  const errors: ErrorDetail[] = [];
  for (const name of Object.keys(fields)) {
    if (!isUnknown(name, columns)) continue;
    const suggestion = formatSuggestion(name, Object.keys(columns));
    errors.push(lineDetail(name, 'UNKNOWN_FIELD', `Unknown field.${suggestion}`));
    if (isErrorDetailLimitReached(errors)) break;
  }
  if (errors.length > 0) throw validationErrorFrom(errors);
  const counter = { valueCount: 0 };
  for (const [name, value] of Object.entries(fields)) {
    const problem = findJsonRecordProblem(value, counter);
    if (problem)
      throw validationError(name, isTooLongMessage(problem) ? 'TOO_LONG' : 'INVALID_TEXT', problem);
  }
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => !ignoredFields.has(name) && columns[name] !== 'exportOnly'),
  );
}

function jsonFields(text: string): BulkRecordFields {
  assertJsonBytes(Buffer.from(text));
  const value = parseJson(text, '');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw validationError('', 'INVALID_TYPE', 'The line must be a JSON object.');
  return value as BulkRecordFields;
}

function parseJson(text: string, field: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw validationError(field, 'INVALID_FORMAT', 'The value is not valid JSON.');
  }
}

function csvFields(text: string, columns: Columns, header: readonly string[]): BulkRecordFields {
  const cells = parseCsvRecord(text);
  if (!Array.isArray(cells)) throw validationError('', 'INVALID_FORMAT', cells.error);
  if (cells.length !== header.length)
    throw validationError(
      '',
      'INVALID_FORMAT',
      `The line has ${cells.length} cells, but the header has ${header.length} columns.`,
    );
  return Object.fromEntries(
    header.flatMap((name, index) => {
      const cell = cells[index] ?? '';
      return cell === '' ? [] : [[name, parseCell(cell, columns[name] ?? 'exportOnly', name)]];
    }),
  );
}

function parseCell(cell: string, column: BulkColumnType, name: string): unknown {
  if (column === 'text') return unescapeCsvFormula(cell);
  if (column === 'exportOnly') return cell;
  assertJsonBytes(Buffer.from(cell));
  return parseJson(cell, name);
}

export const formatExportHeaderLine = (format: BulkFormat, columns: Columns): string =>
  format === 'CSV' ? formatCsvRecord(Object.keys(columns)) : '';

export function formatExportLine(format: BulkFormat, columns: Columns, fields: BulkRecordFields): string {
  const columnValues = Object.keys(columns).map((name): [string, unknown] => [name, fields[name]]);
  if (format === 'JSONL') return `${JSON.stringify(Object.fromEntries(columnValues))}\n`;
  return formatCsvRecord(columnValues.map(([name, value]) => formatCell(value, columns[name] ?? 'text')));
}

function formatCell(value: unknown, column: BulkColumnType): string {
  if (value === undefined || value === null) return '';
  if (column === 'json') return JSON.stringify(value);
  return typeof value === 'string' ? escapeCsvFormula(value) : String(value);
}
