/**
 * Type parsers of the embedded database. PGlite copies all its several hundred parsers for every statement, which takes longer than many
 * statements; this file restricts them to the types of our tables and statements. Simple types need no parser.
 */
import { type PGlite, type Transaction, types } from '@electric-sql/pglite';
import { CrashDetectingPGlite } from './crash-detection.ts';

/** Type OIDs of PostgreSQL. A test compares them with the columns of all tables. */
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
/** Types that Prisma's adapter parses differently from PGlite. */
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

/** OIDs of array types and their element types: those of our tables, and those of Prisma's catalogue queries. */
const elements =
  `143:142 199:114 791:790 1000:16 1001:17 1002:18 1003:19 1005:21 1007:23 1008:24 1009:25 1014:1042 1015:1043 1016:20 1021:700 1022:701
  1028:26 1041:869 1115:1114 1182:1082 1183:1083 1185:1184 1187:1186 1231:1700 1270:1266 1561:1560 1563:1562 2210:2205 2211:2206
  2951:2950 3807:3802 4090:4089 4097:4096`
    .split(/\s+/)
    .map((pair) => pair.split(':').map(Number) as [array: number, element: number]);

/** PGlite with predefined array types, which it would otherwise query at every start. */
export class EmbeddedPGlite extends CrashDetectingPGlite {
  override async _initArrayTypes(): Promise<void> {
    for (const [array, element] of elements) {
      this.serializers[array] = (value) => types.arraySerializer(value, this.serializers[element], array);
      this.parsers[array] = (text) =>
        types.arrayParser(text, this.parsers[element] ?? ((value) => value), array);
    }
  }
}

const pickParsers = (parsers: Parsers, types: readonly number[]): Parsers =>
  Object.fromEntries(
    types.flatMap((type) => {
      const parser = parsers[type];
      return parser ? [[type, parser]] : [];
    }),
  );

/** Limits the parsers of this connection to the types in use. */
export function restrictPgliteParsers(pglite: PGlite): void {
  // The parser of an integer array uses that of int4.
  pglite.parsers = pickParsers(pglite.parsers, [oid.int4, ...arrayTypeOids]);
}

let prismaParsers: Parsers | undefined;

/** Connection for Prisma's adapter with only the parsers it needs; the adapter would pass one for every type. It only calls `query`. */
export const wrapPgliteForPrisma = (connection: PGlite | Transaction): PGlite =>
  ({
    query(text, values, options = {}) {
      prismaParsers ??= pickParsers({ ...options.parsers }, prismaTypeOids);
      return connection.query(text, values, { ...options, parsers: prismaParsers });
    },
  }) satisfies Pick<PGlite, 'query'> as unknown as PGlite;
