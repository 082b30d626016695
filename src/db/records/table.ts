/**
 * Typed tables for hot records. One object says for every column of the Prisma model which field of the record it holds; select list,
 * insert, update and mapper are made from it. A column or a field that the object leaves out does not compile.
 */
import type { Prisma } from '../../generated/prisma/client.ts';
import { type DocumentParts, DocumentShape, documentShape } from './document.ts';

/**
 * `fixed` is written once, `column` whenever the record is saved, and `json` as a document without parts of its own, or with a `Shape`.
 * `computed` is made by the database out of other columns; `apart` is no part of the record, statements of its own keep it.
 * `{ holds: field }` is a JSON column under another name than its field.
 */
type Columns<Stored, Model, Renamed extends Renames<Stored, Model>> = {
  readonly [Column in keyof Model]-?: Column extends 'document'
    ? DocumentParts<Omit<Stored, keyof Model | FieldsOf<Renamed>>>
    : Column extends keyof Renamed
      ? { readonly holds: Renamed[Column] }
      : Column extends Exclude<keyof Stored, FieldsOf<Renamed>>
        ? Kind<Stored[Column], Model[Column]>
        : 'computed' | 'apart';
} & {
  // Without a document, a field that is no column has no place.
  readonly [Field in Model extends { document: unknown }
    ? never
    : Exclude<keyof Stored, keyof Model | FieldsOf<Renamed>>]: never;
};

type FieldsOf<Renamed> = Extract<Renamed[keyof Renamed], PropertyKey>;

type Renames<Stored, Model> = { readonly [Column in keyof Model]?: keyof Stored };

type Kind<Value, Column> = Prisma.JsonObject extends Column
  ? 'json' | DocumentShape<NonNullable<Value>>
  : [NonNullable<Value>, undefined extends Value ? true : false] extends [
        Plain<NonNullable<Column>>,
        null extends Column ? true : false,
      ]
    ? 'column' | 'fixed'
    : never;

/** `sql` reads 64-bit integers as numbers. */
type Plain<Column> = Column extends bigint ? number : Column;

/** What `sql` answers for the columns of a table. */
export type TableRow = { readonly id: string } & Readonly<Record<string, unknown>>;

/** Some fields of a record: their select list and what it answers. */
export interface ColumnSelection<Fields> {
  readonly columns: string;
  read(row: Readonly<Record<string, unknown>>): Fields;
}

export interface Table<Stored> {
  readonly name: string;
  /** What the record has, columns and parts of the document. */
  readonly fields: readonly string[];
  /** The columns by the name that Prisma has for them, those that the database computes too. */
  readonly model: readonly string[];
  /** The table under its alias, for `from`. */
  readonly from: string;
  /** The select list. */
  readonly columns: string;
  /** In this order; columns of their own, no parts of the document. */
  selectFields<Field extends keyof Stored>(...fields: readonly Field[]): ColumnSelection<Pick<Stored, Field>>;
  read(row: TableRow): Stored;
  /** `insert … values …`, to be followed by `on conflict` or `returning`. Its parameters are the first of the statement. */
  readonly insert: string;
  insertParams(record: Stored): unknown[];
  /** The parameter that comes at this place after those of `insert`: 1 is the next. */
  paramAfter(place: number): string;
  /** Inserts all the records `r` in the parameter, made by `rowsParam`. `source` has what else must be there: ` join others on …`. */
  insertRows(param: string, source?: string): string;
  rowsParam(records: readonly Stored[]): string;
  /** For `on conflict … do update set`: what changes, as the refused row has it. */
  readonly excludedAssignments: string;
  /** `update … where id = …` and, if it has one, its business; to be followed by more conditions or `returning`. */
  readonly update: string;
  updateParams(record: Stored): unknown[];
}

interface Held {
  field: string;
  column: string;
  fixed: boolean;
  shape: DocumentShape<unknown> | undefined;
}

export function defineTable<
  Stored extends { id: string },
  Model,
  Renamed extends Renames<Stored, Model> = Record<never, never>,
>(name: string, alias: string, columns: Columns<Stored, Model, Renamed>): Table<Stored> {
  const held = Object.entries<unknown>(columns).flatMap(([field, kind]) => heldBy(field, kind));
  const plain = held.filter(({ field }) => field !== 'document');
  const document = held.find(({ field }) => field === 'document');
  // Made whole: an object that gets more than a dozen names one by one becomes a slow one.
  const blank: Record<string, unknown> = JSON.parse(
    JSON.stringify(Object.fromEntries(plain.map(({ field }) => [field, null]))),
  );
  const changing = held.filter(({ fixed }) => !fixed);
  const names = held.map(({ column }) => column).join(', ');
  const key = plain.filter(({ field }) => field === 'id' || field === 'businessId');

  const listOf = (columns: readonly Held[]) => columns.map(({ column }) => `${alias}.${column}`).join(', ');
  const stored = (record: Stored, { field, shape }: Held): unknown => {
    const value = field === 'document' ? record : (record as Record<string, unknown>)[field];
    return shape && value !== undefined ? shape.write(value) : (value ?? null);
  };
  const paramOf = (record: Stored, one: Held): unknown => {
    const value = stored(record, one);
    return one.shape && value !== null ? JSON.stringify(value) : value;
  };
  const cast = ({ shape }: Held, index: number) => `$${index + 1}${shape ? '::jsonb' : ''}`;

  return {
    name,
    fields: Object.entries<object | string>(columns).flatMap(([field, kind]) =>
      field === 'document' ? Object.keys(kind) : heldBy(field, kind).map((one) => one.field),
    ),
    model: Object.keys(columns),
    from: `${name} ${alias}`,
    columns: listOf(held),
    selectFields<Field extends keyof Stored>(...fields: readonly Field[]) {
      const part = fields.flatMap((field) => plain.filter((one) => one.field === field));
      return { columns: listOf(part), read: (row) => readFields(part, row) as Pick<Stored, Field> };
    },
    read(row) {
      if (!document) return readFields(plain, row, { ...blank }) as Stored;
      return Object.assign(readFields(plain, row), document.shape?.read(row[document.column])) as Stored;
    },
    insert: `insert into ${name} as ${alias} (${names}) values (${held.map(cast).join(', ')})`,
    insertParams: (record) => held.map((one) => paramOf(record, one)),
    paramAfter: (place) => `$${held.length + place}`,
    insertRows: (param, source = '') =>
      `insert into ${name} (${names}) select ${held.map(({ column }) => `r.${column}`).join(', ')}
       from jsonb_populate_recordset(null::${name}, ${param}::jsonb) r${source}`,
    rowsParam: (records) =>
      JSON.stringify(
        records.map((record) => {
          const row: Record<string, unknown> = {};
          for (const one of held) row[one.column] = stored(record, one);
          return row;
        }),
      ),
    excludedAssignments: changing.map(({ column }) => `${column} = excluded.${column}`).join(', '),
    update: `update ${name} as ${alias} set ${changing
      .map((one, index) => `${one.column} = ${cast(one, index)}`)
      .join(', ')} where ${key
      .map(({ column }, index) => `${alias}.${column} = $${changing.length + index + 1}`)
      .join(' and ')}`,
    updateParams: (record) => [...changing, ...key].map((one) => paramOf(record, one)),
  };
}

/** What several `rowsParam` have made, as one. */
export const concatRowsParams = (params: readonly string[]): string =>
  `[${params
    .map((rows) => rows.slice(1, -1))
    .filter((rows) => rows !== '')
    .join(',')}]`;

function readFields(
  held: readonly Held[],
  row: Readonly<Record<string, unknown>>,
  record: Record<string, unknown> = {},
): Record<string, unknown> {
  for (const { field, column, shape } of held) {
    const value = row[column] ?? undefined;
    record[field] = shape ? shape.read(value) : value;
  }
  return record;
}

const whole = new DocumentShape<unknown>(
  (json) => json,
  (value) => value,
);

function heldBy(name: string, kind: unknown): Held[] {
  const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (kind === 'computed' || kind === 'apart') return [];
  if (kind === 'column' || kind === 'fixed')
    return [{ field: name, column, fixed: kind === 'fixed', shape: undefined }];
  if (kind === 'json') return [{ field: name, column, fixed: false, shape: whole }];
  if (kind instanceof DocumentShape) return [{ field: name, column, fixed: false, shape: kind }];
  if (name === 'document')
    return [
      {
        field: name,
        column,
        fixed: false,
        shape: documentShape(kind as DocumentParts<object>) as DocumentShape<unknown>,
      },
    ];
  const { holds } = kind as { holds: string };
  return [{ field: holds, column, fixed: false, shape: whole }];
}
