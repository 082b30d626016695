/**
 * How the embedded database reads values. PGlite copies all the parsers it has for every statement, several hundred, which takes longer than
 * many a statement: here it has those that our tables and statements need. What else is simple it knows without them.
 */
import { PGlite, type Transaction, types } from '@electric-sql/pglite';

/** By the numbers that PostgreSQL gives them. A test holds the columns against these. */
const oid = {
  int8: 20,
  int4: 23,
  json: 114,
  int4Array: 1007,
  textArray: 1009,
  int8Array: 1016,
  timestamp: 1114,
  timestamptz: 1184,
  numeric: 1700,
  uuidArray: 2951,
  jsonb: 3802,
};

export const arrays: readonly number[] = [oid.int4Array, oid.textArray, oid.int8Array, oid.uuidArray];
/** Those that Prisma wants otherwise than PGlite gives them. */
export const prismaTypes: readonly number[] = [
  oid.int8,
  oid.json,
  oid.int8Array,
  oid.timestamp,
  oid.timestamptz,
  oid.numeric,
  oid.jsonb,
];

type Parsers = PGlite['parsers'];

/** Of each array, what it is an array of: those of our statements and the usual ones of others. */
const elements: readonly (readonly [array: number, element: number])[] = [
  [1000, types.BOOL],
  [1005, types.INT2],
  [oid.int4Array, types.INT4],
  [oid.textArray, types.TEXT],
  [1015, types.VARCHAR],
  [oid.int8Array, types.INT8],
  [1022, types.FLOAT8],
  [1185, types.TIMESTAMPTZ],
  [1231, types.NUMERIC],
  [oid.uuidArray, types.UUID],
  [3807, types.JSONB],
];

/** Knows its arrays. PGlite would ask the database for them first: a tenth of the time that opening takes. */
export class EmbeddedPGlite extends PGlite {
  override async _initArrayTypes(): Promise<void> {
    for (const [array, element] of elements) {
      this.serializers[array] = (value) => types.arraySerializer(value, this.serializers[element], array);
      this.parsers[array] = (text) =>
        types.arrayParser(text, this.parsers[element] ?? ((value) => value), array);
    }
  }
}

const some = (parsers: Parsers, types: readonly number[]): Parsers =>
  Object.fromEntries(
    types.flatMap((type) => {
      const parser = parsers[type];
      return parser ? [[type, parser]] : [];
    }),
  );

/** For all who use this connection. */
export function parseOnlyOurs(pglite: PGlite): void {
  // Arrays of numbers are read with what reads a number.
  pglite.parsers = some(pglite.parsers, [oid.int4, ...arrays]);
}

let prismaParsers: Parsers | undefined;

/** The connection as Prisma's adapter is given it, which would hand on a parser for every type there is. It only ever asks. */
export const forPrisma = (connection: PGlite | Transaction): PGlite =>
  ({
    query(text, values, options = {}) {
      prismaParsers ??= some({ ...options.parsers }, prismaTypes);
      return connection.query(text, values, { ...options, parsers: prismaParsers });
    },
  }) satisfies Pick<PGlite, 'query'> as unknown as PGlite;
