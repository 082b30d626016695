/**
 * Type parsers of the embedded database. PGlite copies all its several hundred parsers for every statement, which takes longer than many
 * statements; this file restricts them to the types of our tables and statements. Simple types need no parser.
 */
import type { PGlite, Transaction } from '@electric-sql/pglite';
import { type PgliteParsers, pgliteForPrisma } from '../../vendor/pglite/connection-for-prisma-adapter.ts';

/** Type OIDs of PostgreSQL. A test compares them with the columns of all tables. */
const oid = {
  int8: 20,
  int4: 23,
  json: 114,
  float8: 701,
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

const pickParsers = (parsers: PgliteParsers, types: readonly number[]): PgliteParsers =>
  Object.fromEntries(
    types.flatMap((type) => {
      const parser = parsers[type];
      return parser ? [[type, parser]] : [];
    }),
  );

/** Limits the parsers of this connection to the types in use. */
export function restrictPgliteTypeParsers(pglite: PGlite): void {
  // The parser of an integer array uses that of int4.
  pglite.parsers = pickParsers(pglite.parsers, [oid.int4, oid.float8, ...arrayTypeOids]);
}

let prismaParsers: PgliteParsers | undefined;

/** Connection for Prisma's adapter with only the parsers it needs. */
export const createPrismaConnection = (connection: PGlite | Transaction): PGlite =>
  pgliteForPrisma(connection, (parsers) => {
    prismaParsers ??= pickParsers({ ...parsers }, prismaTypeOids);
    return prismaParsers;
  });
