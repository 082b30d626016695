/** `duet move --rehearse`: copies a business to another server while it sells, compares all rows, and removes the copy. */
import type { Config } from '../../config.ts';
import type { Db } from '../../db/handles.ts';
import { listPendingMigrations } from '../../db/migrations/apply-and-list-migrations.ts';
import { isId } from '../../lib/ids.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { homeServerName } from '../../shard-variables.ts';
import { findServers } from '../../shards/business-directory.ts';
import type { MoveAddresses, ServerAddress } from '../../shards/move/open-move.ts';
import {
  cancelMove,
  countRows,
  type RehearsalReport,
  rehearseMove,
} from '../../shards/move/rehearse-move.ts';
import { createDatabaseCommand, UsageError } from '../command-types-and-usage-error.ts';
import { type OpenedShard, withShards } from '../open-and-migrate-databases.ts';
import { parseCommandArgs } from '../parse-command-args.ts';

function parseMoveArgs(args: readonly string[]) {
  const options = {
    rehearse: { type: 'boolean', default: false },
    cancel: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  } as const;
  const { values, positionals } = parseCommandArgs(args, options, ['BUSINESS', 'SERVER']);
  const [businessId = '', server = ''] = positionals;
  if (!isId(businessId.toLowerCase())) throw new UsageError('BUSINESS must be the id of a business.');
  if (values.rehearse && values.cancel) throw new UsageError('Use only one of --rehearse and --cancel.');
  if (!values.rehearse && !values.cancel)
    throw new UsageError('A business cannot be moved yet: only --rehearse and --cancel are available.');
  return { ...values, businessId: businessId.toLowerCase(), server };
}

export const moveCommand = createDatabaseCommand(
  parseMoveArgs,
  async ({ config, db, write, progress }, { businessId, server, cancel, json }) => {
    const addresses = await findAddresses(config, db, businessId, server);
    await withShards(config, db, (shards) => assertMigrated(shards, addresses));
    if (cancel) {
      const cancelled = await cancelMove(addresses);
      const text = cancelled
        ? 'Everything that the copy had left was removed.\n'
        : 'There is nothing to cancel.\n';
      write(json ? `${JSON.stringify({ cancelled })}\n` : text);
      return;
    }
    const report = await rehearseMove(addresses, (text) => (json ? progress?.(text) : write(`${text}\n`)));
    write(json ? `${JSON.stringify(report)}\n` : formatReport(report));
    if (report.findings.length > 0) throw new OperatorError('The copy differs from the original.');
  },
);

/** `withShards` rejects two names of one database. */
async function assertMigrated(
  shards: readonly OpenedShard[],
  { source, target }: MoveAddresses,
): Promise<void> {
  for (const shard of shards) {
    if (shard.name !== source.name && shard.name !== target.name) continue;
    if (!shard.db) throw shard.error;
    if ((await listPendingMigrations(shard.db)).length > 0)
      throw new OperatorError(`${shard.name} lacks migrations. Run: duet migrate`);
  }
}

async function findAddresses(
  config: Config,
  db: Db,
  businessId: string,
  targetName: string,
): Promise<MoveAddresses> {
  const homeUrl = config.databaseDirectUrl ?? config.databaseUrl;
  if (homeUrl === undefined || config.databaseShards.length === 0)
    throw new OperatorError('Set DATABASE_SHARDS: there is only one server.');
  const servers: ServerAddress[] = [{ name: homeServerName, url: homeUrl }, ...config.databaseShards];
  const sourceName = (await findServers(db, [businessId])).get(businessId) ?? homeServerName;
  const [source, target] = [sourceName, targetName].map((name) =>
    servers.find((server) => server.name === name),
  );
  const names = servers.map(({ name }) => name).join(', ');
  if (!source) throw new OperatorError(`The business is on ${sourceName}, which is not among ${names}.`);
  if (!target) throw new OperatorError(`There is no server ${JSON.stringify(targetName)}, only ${names}.`);
  if (source === target) throw new OperatorError(`The business is on ${targetName} already.`);
  return { businessId, homeUrl, source, target };
}

function formatReport(report: RehearsalReport): string {
  const { tables, findings, copySeconds, pauseMs, compareSeconds } = report;
  const summary = [
    `${countRows(report)} rows of ${tables.length} tables, `,
    `copied in ${copySeconds.toFixed(1)} s, compared in ${compareSeconds.toFixed(1)} s\n`,
    `Writes of the business were paused for ${Math.ceil(pauseMs)} ms.\n`,
  ].join('');
  const problems = findings.map(({ table, problem }) => `${table}: ${problem}\n`).join('');
  return findings.length === 0 ? `${summary}Both servers had the same rows.\n` : summary + problems;
}
