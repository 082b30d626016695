/** Connection of PGlite for `pglite-prisma-adapter`, whose types demand a whole PGlite. */
import type { PGlite, QueryOptions, Transaction } from '@electric-sql/pglite';

export type PgliteParsers = PGlite['parsers'];

/**
 * A connection or transaction with only those of the adapter's parsers that `pick` selects; the adapter passes one for every type, and
 * PGlite copies them for each statement. The adapter only calls `query`.
 */
export function pgliteForPrisma(
  connection: PGlite | Transaction,
  pick: (parsers: NonNullable<QueryOptions['parsers']>) => PgliteParsers,
): PGlite {
  const queries: Pick<PGlite, 'query'> = {
    query: (text, values, options = {}) =>
      connection.query(text, values, { ...options, parsers: pick(options.parsers ?? {}) }),
  };
  return queries as PGlite;
}
