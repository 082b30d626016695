/** `duet move`: moves a business to another server while it sells, rehearses that, or removes an interrupted copy. */
import type { Config } from '../../config.ts';
import type { Db } from '../../db/handles.ts';
import { listPendingMigrations } from '../../db/migrations/apply-and-list-migrations.ts';
import { isId } from '../../lib/ids.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { homeServerName } from '../../shard-variables.ts';
import { findServers } from '../../shards/business-directory.ts';
import { type CopyReport, countRows } from '../../shards/move/copy-and-compare.ts';
import { type MoveReport, moveBusiness } from '../../shards/move/move-business.ts';
import type { MoveAddresses, ServerAddress } from '../../shards/move/open-move.ts';
import { cancelMove, rehearseMove } from '../../shards/move/rehearse-move.ts';
import { listUnfinishedMoves } from '../../shards/move/unfinished-moves.ts';
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
  return { ...values, businessId: businessId.toLowerCase(), server };
}

export const moveCommand = createDatabaseCommand(
  parseMoveArgs,
  async ({ config, db, write, progress }, { businessId, server, rehearse, cancel, json }) => {
    const { addresses, isSwitched } = await findAddresses(config, db, businessId, server);
    if (isSwitched && (rehearse || cancel))
      throw new OperatorError(
        `${server} has the business already. Finish the move: duet move ${businessId} ${server}`,
      );
    await withShards(config, db, (shards) => assertMigrated(shards, addresses));
    if (cancel) {
      const cancelled = await cancelMove(addresses);
      const text = cancelled
        ? 'Everything that the copy had left was removed.\n'
        : 'There is nothing to cancel.\n';
      write(json ? `${JSON.stringify({ cancelled })}\n` : text);
      return;
    }
    const onProgress = (text: string) => (json ? progress?.(text) : write(`${text}\n`));
    const print = (report: CopyReport | MoveReport, text: string) => {
      write(json ? `${JSON.stringify(report)}\n` : text + formatFindings(report));
      if (report.findings.length > 0) throw new OperatorError('The copy differs from the original.');
    };
    if (rehearse) {
      const report = await rehearseMove(addresses, onProgress);
      print(report, formatRehearsal(report));
    } else {
      const report = await moveBusiness(addresses, { readMs: config.operationTimeoutMs, onProgress });
      print(report, formatMove(report, server));
    }
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
): Promise<{ addresses: MoveAddresses; isSwitched: boolean }> {
  const homeUrl = config.databaseDirectUrl ?? config.databaseUrl;
  if (homeUrl === undefined || config.databaseShards.length === 0)
    throw new OperatorError('Set DATABASE_SHARDS: there is only one server.');
  const servers: ServerAddress[] = [{ name: homeServerName, url: homeUrl }, ...config.databaseShards];
  const unfinished = (await listUnfinishedMoves(db, businessId)).find(({ isSwitched }) => isSwitched);
  if (unfinished && unfinished.target !== targetName)
    throw new OperatorError(
      `A move to ${unfinished.target} is not finished. Run: duet move ${businessId} ${unfinished.target}`,
    );
  const sourceName =
    unfinished?.source ?? (await findServers(db, [businessId])).get(businessId) ?? homeServerName;
  const [source, target] = [sourceName, targetName].map((name) =>
    servers.find((server) => server.name === name),
  );
  const names = servers.map(({ name }) => name).join(', ');
  if (!source) throw new OperatorError(`The business is on ${sourceName}, which is not among ${names}.`);
  if (!target) throw new OperatorError(`There is no server ${JSON.stringify(targetName)}, only ${names}.`);
  if (source === target) throw new OperatorError(`The business is on ${targetName} already.`);
  return { addresses: { businessId, homeUrl, source, target }, isSwitched: unfinished !== undefined };
}

function formatRehearsal(report: CopyReport): string {
  const { tables, copySeconds, pauseMs, compareSeconds } = report;
  return [
    `${countRows(report)} rows of ${tables.length} tables, `,
    `copied in ${copySeconds.toFixed(1)} s, compared in ${compareSeconds.toFixed(1)} s\n`,
    `Writes of the business were paused for ${Math.ceil(pauseMs)} ms.\n`,
  ].join('');
}

function formatMove(report: MoveReport, server: string): string {
  const { tables, seconds, pauseMs, findings } = report;
  if (findings.length > 0) return '';
  const rows = tables.length === 0 ? '' : `${countRows(report)} rows of ${tables.length} tables, `;
  const pause =
    pauseMs === undefined ? '' : `Writes of the business were paused for ${Math.ceil(pauseMs)} ms.\n`;
  return `The business is on ${server}: ${rows}moved in ${seconds.toFixed(1)} s\n${pause}`;
}

const formatFindings = ({ findings, tables }: CopyReport | MoveReport): string =>
  findings.length > 0
    ? findings.map(({ table, problem }) => `${table}: ${problem}\n`).join('')
    : tables.length > 0
      ? 'Both servers had the same rows.\n'
      : '';
