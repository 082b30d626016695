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

export const arrayTypeOids: readonly number[] = [oid.int4Array, oid.textArray, oid.int8Array, oid.uuidArray];
/** Those that Prisma wants otherwise than PGlite gives them. */
export const prismaTypeOids: readonly number[] = [
  oid.int8,
  oid.json,
  oid.int8Array,
  oid.timestamp,
  oid.timestamptz,
  oid.numeric,
  oid.jsonb,
];

type Parsers = PGlite['parsers'];

/** Each array and what it is an array of, by PostgreSQL's own numbers: ours, and what Prisma's engine asks the catalogue with. */
const elements =
  `143:142 199:114 791:790 1000:16 1001:17 1002:18 1003:19 1005:21 1007:23 1008:24 1009:25 1014:1042 1015:1043 1016:20 1021:700 1022:701
  1028:26 1041:869 1115:1114 1182:1082 1183:1083 1185:1184 1187:1186 1231:1700 1270:1266 1561:1560 1563:1562 2210:2205 2211:2206
  2951:2950 3807:3802 4090:4089 4097:4096`
    .split(/\s+/)
    .map((pair) => pair.split(':').map(Number) as [array: number, element: number]);

/** Knows its arrays. PGlite would ask the database for them at every start. */
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
export function restrictParsers(pglite: PGlite): void {
  // Arrays of numbers are read with what reads a number.
  pglite.parsers = some(pglite.parsers, [oid.int4, ...arrayTypeOids]);
}

let prismaParsers: Parsers | undefined;

/** The connection as Prisma's adapter is given it, which would hand on a parser for every type there is. It only ever asks. */
export const wrapForPrisma = (connection: PGlite | Transaction): PGlite =>
  ({
    query(text, values, options = {}) {
      prismaParsers ??= some({ ...options.parsers }, prismaTypeOids);
      return connection.query(text, values, { ...options, parsers: prismaParsers });
    },
  }) satisfies Pick<PGlite, 'query'> as unknown as PGlite;
