/** Compares all rows of a business on two servers, each in its snapshot: by count and checksum, and row by row where these differ. */
import { type BusinessTable, buildBusinessCondition, quoteName, quoteNames } from './business-tables.ts';
import { findTablesWithoutBusiness } from './child-rows.ts';
import type { Move, MoveServer } from './open-move.ts';

interface TableReport {
  table: string;
  rows: number;
}

interface CopyFinding {
  table: string;
  problem: string;
}

export interface CopyComparison {
  tables: TableReport[];
  findings: CopyFinding[];
}

/** Rows that are named per table. */
const maxNamedRows = 10;
const buckets = 1024;

export async function compareSnapshots(
  move: Move,
  tables: readonly BusinessTable[],
): Promise<CopyComparison> {
  const reports: TableReport[] = [];
  const findings: CopyFinding[] = await findForgottenTables(move, tables);
  for (const table of await findTablesWithoutBusiness(move.source.connection, move.businessId))
    findings.push({ table, problem: `rows on ${move.source.name} do not name their business` });
  for (const table of tables) {
    const [source, target] = await onBoth(move, (server) => sumRows(move, server, table));
    if (source.rows > 0) reports.push({ table: table.name, rows: source.rows });
    if (source.rows === target.rows && source.checksum === target.checksum) continue;
    findings.push({
      table: table.name,
      problem: `${source.rows} rows on ${move.source.name}, ${target.rows} on ${move.target.name}`,
    });
    findings.push(...(await findDifferentRows(move, table)));
  }
  return { tables: reports, findings };
}

const onBoth = <T>({ source, target }: Move, run: (server: MoveServer) => Promise<T>): Promise<[T, T]> =>
  Promise.all([run(source), run(target)]);

/** Tables that were created after the copy began, and that it does not include. */
async function findForgottenTables(
  { name, source }: Move,
  tables: readonly BusinessTable[],
): Promise<CopyFinding[]> {
  const rows = await source.connection.query<{ table: string }>(
    'SELECT tablename::text AS "table" FROM pg_publication_tables WHERE pubname = $1',
    [name],
  );
  const copied = new Set(rows.map(({ table }) => table));
  return tables
    .filter((table) => !copied.has(table.name))
    .map((table) => ({ table: table.name, problem: 'is not part of the copy' }));
}

/** Text of a row. The columns are in the order of their names, which is the same on both servers. */
const rowText = ({ columns }: BusinessTable): string => `ROW(${quoteNames(columns)})::text`;

const keyText = ({ primaryKey, columns }: BusinessTable): string =>
  `ROW(${quoteNames(primaryKey.length > 0 ? primaryKey : columns)})::text`;

interface RowSum {
  rows: number;
  checksum: string;
}

async function sumRows({ businessId }: Move, server: MoveServer, table: BusinessTable): Promise<RowSum> {
  const [sum] = await server.connection.query<RowSum>(
    `SELECT count(*)::float8 AS rows, coalesce(sum(hashtextextended(${rowText(table)}, 0)), 0)::text AS checksum
     FROM ${quoteName(table.name)} WHERE ${buildBusinessCondition(table, businessId)}`,
  );
  return sum ?? { rows: 0, checksum: '0' };
}

/** In buckets, so that large tables need no more memory than small ones. */
async function findDifferentRows(move: Move, table: BusinessTable): Promise<CopyFinding[]> {
  const bucketOf = `hashtextextended(${keyText(table)}, 1) & ${buckets - 1}`;
  const from = `FROM ${quoteName(table.name)} WHERE ${buildBusinessCondition(table, move.businessId)}`;
  const [source, target] = await onBoth(move, async ({ connection }) => {
    const rows = await connection.query<{ bucket: string; checksum: string }>(
      `SELECT (${bucketOf})::text AS bucket, sum(hashtextextended(${rowText(table)}, 0))::text AS checksum ${from} GROUP BY 1`,
    );
    return new Map(rows.map(({ bucket, checksum }) => [bucket, checksum]));
  });
  const findings: CopyFinding[] = [];
  for (const bucket of new Set([...source.keys(), ...target.keys()])) {
    if (source.get(bucket) === target.get(bucket)) continue;
    const [sourceRows, targetRows] = await onBoth(move, async ({ connection }) => {
      const rows = await connection.query<{ key: string; row: string }>(
        `SELECT ${keyText(table)} AS key, ${rowText(table)} AS row ${from} AND ${bucketOf} = $1`,
        [bucket],
      );
      return new Map(rows.map(({ key, row }) => [key, row]));
    });
    for (const key of new Set([...sourceRows.keys(), ...targetRows.keys()])) {
      if (sourceRows.get(key) === targetRows.get(key)) continue;
      findings.push({
        table: table.name,
        problem: `row ${key} ${describe(move, sourceRows, targetRows, key)}`,
      });
      if (findings.length === maxNamedRows) return findings;
    }
  }
  return findings;
}

function describe(
  { source, target }: Move,
  sourceRows: ReadonlyMap<string, string>,
  targetRows: ReadonlyMap<string, string>,
  key: string,
): string {
  if (!sourceRows.has(key)) return `exists on ${target.name} only`;
  return targetRows.has(key) ? 'differs' : `exists on ${source.name} only`;
}
