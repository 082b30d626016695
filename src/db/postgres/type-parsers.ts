/** Type parsers of `sql` on PostgreSQL. */
import pg from 'pg';
import { sqlTypeParsers } from '../session-settings-and-type-parsers.ts';

// Passed per statement: Prisma has its own parsers, and pg's global parsers are shared with other users of the driver.
export const pgTypeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const parser = sqlTypeParsers.get(oid);
    if (parser) return parser;
    return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
  },
};
