/** Documents: parts of a record that one JSON column holds, each with what it reads as where it is missing. */
import type { Prisma } from '../../generated/prisma/client.ts';

/** How a value is written into JSON and read from it. */
export class DocumentShape<Value> {
  readonly read: (json: unknown) => Value;
  readonly write: (value: Value) => unknown;

  constructor(read: (json: unknown) => Value, write: (value: Value) => unknown) {
    this.read = read;
    this.write = write;
  }
}

/** Says of a part that every document has it. */
export const alwaysPresent: unique symbol = Symbol('in every document');

/**
 * By the name of each part: its default, read from documents older than the part; `always`, where there are none; or a shape that
 * has defaults of its own.
 */
export type DocumentParts<Value> = {
  readonly [Part in keyof Value]-?:
    | Default<Value[Part]>
    | typeof alwaysPresent
    | DocumentShape<NonNullable<Value[Part]>>;
};

type Default<Value> = undefined extends Value ? Value | undefined : Value;

/** An object of these parts. Whatever else an object has is not written. */
export function documentShape<Value extends object>(parts: DocumentParts<Value>): DocumentShape<Value> {
  const names = Object.keys(parts);
  const shapes: [string, DocumentShape<unknown>][] = [];
  const defaults: Record<string, unknown> = {};
  for (const [name, part] of Object.entries<unknown>(parts)) {
    if (part instanceof DocumentShape) shapes.push([name, part]);
    else if (part !== alwaysPresent && part !== undefined) defaults[name] = frozen(part);
  }
  return new DocumentShape(
    (json) => {
      const value: Record<string, unknown> = Object.assign({}, defaults, json);
      for (const [name, shape] of shapes) value[name] = shape.read(value[name]);
      return value as Value;
    },
    (value) => {
      const json: Record<string, unknown> = {};
      for (const name of names) json[name] = (value as Record<string, unknown>)[name];
      for (const [name, shape] of shapes) json[name] = shape.write(json[name]);
      return json;
    },
  );
}

/** A list of such objects; empty where it is missing. */
export function documentListShape<Value extends object>(parts: DocumentParts<Value>): DocumentShape<Value[]> {
  const item = documentShape(parts);
  return new DocumentShape(
    (json) => ((json ?? []) as unknown[]).map(item.read),
    (values) => values.map(item.write),
  );
}

/** Many records share a default: none of them may change it. */
function frozen(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

/** Documents on their way into a JSON column by Prisma. */

/** Without the fields that are undefined, which JSON does not have. */
export const toJsonDocument = (value: object): Prisma.InputJsonValue => JSON.parse(JSON.stringify(value));
