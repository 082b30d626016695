/** Codecs between fields of a record and one JSON column, with defaults for fields that old documents lack. */
import type { Prisma } from '../../generated/prisma/client.ts';
import { deepFreeze } from '../../lib/json/deep-readonly.ts';

/** Conversion of a value to JSON and back. */
export class JsonDocumentCodec<Value> {
  readonly read: (json: unknown) => Value;
  readonly write: (value: Value) => unknown;

  constructor(read: (json: unknown) => Value, write: (value: Value) => unknown) {
    this.read = read;
    this.write = write;
  }
}

/** Marks a part that every stored document has, so that it needs no default. */
export const alwaysInJsonDocument: unique symbol = Symbol('in every document');

/**
 * For each part: the default for documents older than the part, `alwaysInJsonDocument` if there are none, or a codec with defaults of its
 * own.
 */
export type JsonDocumentPartCodecs<Value> = {
  readonly [Part in keyof Value]-?:
    | Default<Value[Part]>
    | typeof alwaysInJsonDocument
    | JsonDocumentCodec<NonNullable<Value[Part]>>;
};

type Default<Value> = undefined extends Value ? Value | undefined : Value;

/** Codec of an object with these parts. Other properties are not written. */
export function defineJsonDocument<Value extends object>(
  parts: JsonDocumentPartCodecs<Value>,
): JsonDocumentCodec<Value> {
  const names = Object.keys(parts);
  const codecs: [string, JsonDocumentCodec<unknown>][] = [];
  const defaults: Record<string, unknown> = {};
  for (const [name, part] of Object.entries<unknown>(parts)) {
    if (part instanceof JsonDocumentCodec) codecs.push([name, part]);
    // Frozen, because all records share it.
    else if (part !== alwaysInJsonDocument && part !== undefined) defaults[name] = deepFreeze(part);
  }
  return new JsonDocumentCodec(
    (json) => {
      const value: Record<string, unknown> = Object.assign({}, defaults, json);
      for (const [name, codec] of codecs) value[name] = codec.read(value[name]);
      return value as Value;
    },
    (value) => {
      const json: Record<string, unknown> = {};
      for (const name of names) json[name] = (value as Record<string, unknown>)[name];
      for (const [name, codec] of codecs) json[name] = codec.write(json[name]);
      return json;
    },
  );
}

/** Codec of a list of such objects; a missing list is read as empty. */
export function defineJsonDocumentList<Value extends object>(
  parts: JsonDocumentPartCodecs<Value>,
): JsonDocumentCodec<readonly Value[]> {
  const item = defineJsonDocument(parts);
  return new JsonDocumentCodec<readonly Value[]>(
    (json) => ((json ?? []) as unknown[]).map(item.read),
    (values) => values.map(item.write),
  );
}

/** Converts a value for a JSON column written by Prisma: drops properties that are undefined, which Prisma rejects. */
export const toPrismaJson = (value: object): Prisma.InputJsonValue => JSON.parse(JSON.stringify(value));
