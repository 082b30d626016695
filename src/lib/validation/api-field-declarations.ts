/**
 * Field declarations: one line declares a plain field of a record (a text, an integer or a boolean), and everything else is derived
 * from it: TypeScript type, default, zod schema, table entry, GraphQL input and output field, and the field in the REST fragment.
 */
import { z } from 'zod';
import { buildTextSchema, optionalInput } from './input.ts';

interface FieldOptions<Value, Column extends boolean> {
  /** Value in new records, and in documents that were stored before the field existed. */
  default: Value;
  /** Description of the GraphQL field, and of the input field unless `inputDescription` is given. */
  description: string;
  inputDescription?: string;
  /** Stored in a column of its own (which needs a migration) instead of the JSON document. Default: false. */
  column?: Column;
  /** Left out of the REST representation. Default: false. */
  graphqlOnly?: boolean;
}

export interface ApiFieldDeclaration<Value = unknown, Column extends boolean = boolean> {
  readonly kind: 'text' | 'integer' | 'boolean';
  readonly schema: z.ZodType<Value | undefined>;
  readonly default: Value;
  readonly description: string;
  readonly inputDescription: string;
  readonly column: Column;
  readonly graphqlOnly: boolean;
}

export type ApiFieldDeclarations = Readonly<Record<string, ApiFieldDeclaration>>;

function declare<Value, Column extends boolean>(
  kind: ApiFieldDeclaration['kind'],
  schema: z.ZodType<Value>,
  options: FieldOptions<Value, Column>,
): ApiFieldDeclaration<Value, Column> {
  const { description, inputDescription = description, graphqlOnly = false } = options;
  return {
    kind,
    schema: optionalInput(schema),
    default: options.default,
    description,
    inputDescription,
    column: (options.column ?? false) as Column,
    graphqlOnly,
  };
}

export const apiField = {
  /** `max` is in characters. */
  text: <Column extends boolean = false>({
    max,
    ...options
  }: FieldOptions<string, Column> & { max: number }) => declare('text', buildTextSchema(max), options),
  integer: <Column extends boolean = false>({
    min,
    max,
    ...options
  }: FieldOptions<number, Column> & { min: number; max: number }) =>
    declare('integer', z.number().int().min(min).max(max), options),
  boolean: <Column extends boolean = false>(options: FieldOptions<boolean, Column>) =>
    declare('boolean', z.boolean(), options),
};

/** Type of the declared fields in a record. */
export type ApiFieldValues<Fields> = {
  -readonly [Name in keyof Fields]: Fields[Name] extends ApiFieldDeclaration<infer Value> ? Value : never;
};

type ColumnNames<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends ApiFieldDeclaration<unknown, true> ? Name : never;
}[keyof Fields];

const mapFields = (fields: ApiFieldDeclarations, map: (declaration: ApiFieldDeclaration) => unknown) =>
  Object.fromEntries(Object.entries(fields).map(([name, declaration]) => [name, map(declaration)]));

const select = (fields: ApiFieldDeclarations, isSelected: (declaration: ApiFieldDeclaration) => boolean) =>
  Object.fromEntries(Object.entries(fields).filter(([, declaration]) => isSelected(declaration)));

/** Defaults of all declared fields. */
export const getApiFieldDefaults = <Fields extends ApiFieldDeclarations>(fields: Fields) =>
  mapFields(fields, (declaration) => declaration.default) as ApiFieldValues<Fields>;

/** Entries of the JSON document in `defineTable`: fields without a column, with their defaults. */
export const buildJsonDocumentFieldsOfDeclarations = <Fields extends ApiFieldDeclarations>(fields: Fields) =>
  mapFields(
    select(fields, ({ column }) => !column),
    (declaration) => declaration.default,
  ) as Omit<ApiFieldValues<Fields>, ColumnNames<Fields>>;

/** Entries of the columns in `defineTable`. */
export const buildTableColumnsOfDeclarations = <Fields extends ApiFieldDeclarations>(fields: Fields) =>
  mapFields(
    select(fields, ({ column }) => column),
    () => 'column',
  ) as Record<ColumnNames<Fields> & string, 'column'>;

/** zod schemas of the input; every field is optional. */
export const buildApiFieldSchemas = <Fields extends ApiFieldDeclarations>(fields: Fields) =>
  mapFields(fields, ({ schema }) => schema) as { [Name in keyof Fields]: Fields[Name]['schema'] };

/** Fields of the REST representation. */
export const listRestNamesOfApiFields = (fields: ApiFieldDeclarations): string[] =>
  Object.keys(select(fields, ({ graphqlOnly }) => !graphqlOnly));
