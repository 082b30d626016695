/** `duet shards`: the database servers, with the number of their businesses, their size and their load. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/handles.ts';
import { listPendingMigrations } from '../../db/migrations/apply-and-list-migrations.ts';
import { countBusinesses } from '../../domains/businesses/manage-businesses.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { homeServerName } from '../../shard-variables.ts';
import { createDatabaseCommand } from '../command-types-and-usage-error.ts';
import { type OpenedShard, withShards } from '../open-and-migrate-databases.ts';
import { parseCommandArgs } from '../parse-command-args.ts';
import {
  type BusinessPlacementFinding,
  checkBusinessPlacements,
} from '../shards/check-business-placements.ts';

/** Time over which transactions are counted. */
const sampleMs = 1_000;

interface ServerReport {
  name: string;
  /** Share of new businesses. */
  weight: number;
  /** Undefined: the server is available. */
  error?: string;
  pendingMigrations?: number;
  businesses?: number;
  bytes?: number;
  connections?: number;
  maxConnections?: number;
  transactionsPerSecond?: number;
}

const parseShardsArgs = (args: readonly string[]) => {
  const options = {
    check: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  } as const;
  return parseCommandArgs(args, options).values;
};

export const shardsCommand = createDatabaseCommand(
  parseShardsArgs,
  ({ config, db, write }, { check, json }) =>
    withShards(config, db, async (shards) => {
      const home: OpenedShard = { name: homeServerName, url: '', weight: config.homeServerWeight, db };
      const opened = [home, ...shards];
      const servers = await Promise.all(opened.map(describeServer));
      if (!json) write(servers.map(formatServer).join(''));
      const findings = check ? await findMisplacedBusinesses(opened) : undefined;
      if (json) write(`${JSON.stringify({ servers, ...(findings && { findings }) })}\n`);
      else if (findings) write(formatFindings(findings));
      const unavailable = servers.filter(({ error }) => error !== undefined);
      const problems = [
        ...(unavailable.length > 0
          ? [`${unavailable.length} of ${servers.length} servers are unavailable.`]
          : []),
        ...(findings && findings.length > 0
          ? [`${findings.length} businesses are not where the directory says.`]
          : []),
      ];
      if (problems.length > 0) throw new OperatorError(problems.join(' '));
    }),
);

/** Servers that are unavailable, or not migrated, are left out. */
async function findMisplacedBusinesses(opened: readonly OpenedShard[]): Promise<BusinessPlacementFinding[]> {
  const databases = new Map<string, Db>();
  for (const { name, db } of opened)
    if (db && (await listPendingMigrations(db)).length === 0) databases.set(name, db);
  if (!databases.has(homeServerName))
    throw new OperatorError('The home server lacks migrations. Run: duet migrate');
  const findings: BusinessPlacementFinding[] = [];
  for await (const finding of checkBusinessPlacements(databases, new Set(opened.map(({ name }) => name))))
    findings.push(finding);
  return findings;
}

const formatFindings = (findings: readonly BusinessPlacementFinding[]): string =>
  findings.length === 0
    ? 'Every business is on the server that the directory names.\n'
    : findings.map(({ businessId, problem }) => `${businessId} ${problem}\n`).join('');

async function describeServer({ name, weight, ...opened }: OpenedShard): Promise<ServerReport> {
  if (!opened.db) return { name, weight, error: opened.error.message };
  const { db } = opened;
  const pendingMigrations = (await listPendingMigrations(db)).length;
  const [before, startedAt] = [await readLoad(db), performance.now()];
  await sleep(sampleMs);
  const after = await readLoad(db);
  const seconds = (performance.now() - startedAt) / 1000;
  const { transactions, ...load } = after;
  return {
    name,
    weight,
    pendingMigrations,
    ...(pendingMigrations === 0 ? { businesses: await countBusinesses(db) } : {}),
    ...load,
    transactionsPerSecond: Math.round(Math.max(0, transactions - before.transactions) / seconds),
  };
}

interface Load {
  bytes: number;
  connections: number;
  maxConnections: number;
  transactions: number;
}

async function readLoad(db: Db): Promise<Load> {
  const [row] = await db.sql<Load>(
    `select pg_database_size(current_database()) as bytes, numbackends as connections,
       current_setting('max_connections')::integer as "maxConnections", xact_commit + xact_rollback as transactions
     from pg_stat_database where datname = current_database()`,
  );
  if (!row) throw new Error('the server returned no statistics of its database');
  return row;
}

function formatServer({ name, weight, error, pendingMigrations, ...server }: ServerReport): string {
  if (error !== undefined) return `${name}: unavailable. ${error}\n`;
  const facts = [
    `weight ${weight}`,
    ...(pendingMigrations ? [`${pendingMigrations} pending migrations (run: duet migrate)`] : []),
    ...(server.businesses === undefined ? [] : [`${server.businesses.toLocaleString('en')} businesses`]),
    `${((server.bytes ?? 0) / 1024 ** 2).toFixed(1)} MB`,
    `${server.connections} of ${server.maxConnections} connections`,
    `${server.transactionsPerSecond} transactions/s`,
  ];
  return `${name}: ${facts.join(', ')}\n`;
}
