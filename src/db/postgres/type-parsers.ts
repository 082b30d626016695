/** How `sql` reads values from PostgreSQL. */
import pg from 'pg';
import { sqlTypeParsers } from '../handles.ts';

// Only for `sql`: Prisma brings its own parsers, and the global ones belong to other users of the driver.
export const pgTypeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const own = sqlTypeParsers.get(oid);
    if (own) return own;
    return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
  },
};
