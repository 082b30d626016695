/** Checks the database: server version, migrations, connections, clock, search, queues and webhook deliveries. */
import { createJobAdmin } from '../../adapters/jobs/job-admin.ts';
import type { Config } from '../../config.ts';
import { hasTrigramSupport } from '../../db/detect-pg-trgm.ts';
import type { Db } from '../../db/handles.ts';
import { listPendingMigrations } from '../../db/migrations/apply-and-list-migrations.ts';
import { describeOrRejectNewerDatabase } from '../../db/migrations/detect-newer-database.ts';
import { countFailingAndDisabledEndpoints } from '../../domains/webhooks/delivery/count-failing-and-disabled-endpoints.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { createDatabaseCommand } from '../command-types-and-usage-error.ts';
import { parseCommandArgs } from '../parse-command-args.ts';
import { checkClock } from './check-clock.ts';
import { checkDirectUrl } from './check-direct-url.ts';
import { checkReplicas } from './check-replicas.ts';
import { checkShards, checkUnfinishedMoves } from './check-shards.ts';
import {
  type DoctorFinding,
  doctorFailureMessage,
  doctorOptions,
  errorFinding,
  formatFindings,
  hasErrorFinding,
  noteFinding,
  okFinding,
  runDoctorCheck,
} from './create-and-format-findings.ts';

const minServerVersion = 140_000;
/** Connections of a process besides its pool: two for short reads, one for live updates, two for migrations at start-up. */
const extraConnections = 5;
const maxQueueDelaySeconds = 300;

async function checkDatabase(config: Config, db: Db): Promise<DoctorFinding[]> {
  const server = db.embedded
    ? [okFinding('database', 'embedded, can be opened')]
    : [
        ...(await checkServer(config, db)),
        ...(await runDoctorCheck('direct', () => checkDirectUrl(config, db))),
        ...(await checkReplicas(config, db)),
      ];
  const pending = await listPendingMigrations(db);
  if (pending.length > 0) {
    return [...server, errorFinding('migrations', `${pending.length} pending. Run: duet migrate`)];
  }
  return [
    ...server,
    ...(await runDoctorCheck('migrations', () => checkNewerDatabase(db))),
    ...(await runDoctorCheck('moves', () => checkUnfinishedMoves(db))),
    ...(await runDoctorCheck('search', () => checkSearch(db))),
    ...(await runDoctorCheck('jobs', () => checkJobs(db))),
    ...(await runDoctorCheck('webhooks', () => checkWebhooks(db))),
  ];
}

async function checkNewerDatabase(db: Db): Promise<DoctorFinding[]> {
  const newer = await describeOrRejectNewerDatabase(db);
  return [newer === undefined ? okFinding('migrations', 'up to date') : noteFinding('migrations', newer)];
}

interface ServerFacts {
  version: number;
  release: string;
  time: number;
  maxConnections: number;
  used: number;
}

async function checkServer({ databasePool }: Config, db: Db): Promise<DoctorFinding[]> {
  const [facts] = await db.sql<ServerFacts>(`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as release,
      extract(epoch from clock_timestamp())::float8 as time,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as "maxConnections",
      (select count(*) from pg_stat_activity where backend_type = 'client backend') as used`);
  if (!facts) return [];
  const perProcess = databasePool + extraConnections;
  const processes = Math.floor(facts.maxConnections / perProcess);
  const capacity = `${facts.maxConnections} connections (${facts.used} in use) serve ${processes} processes with DATABASE_POOL=${databasePool}`;
  return [
    facts.version >= minServerVersion
      ? okFinding('database', `PostgreSQL ${facts.release}`)
      : errorFinding('database', `PostgreSQL ${facts.release} is too old: 14 or later is needed.`),
    processes > 0
      ? okFinding('pool', capacity)
      : errorFinding(
          'pool',
          `${capacity}. Lower DATABASE_POOL to ${facts.maxConnections - extraConnections} or less, or raise max_connections.`,
        ),
    checkClock('the database', facts.time),
  ];
}

async function checkSearch(db: Db): Promise<DoctorFinding[]> {
  return [
    (await hasTrigramSupport(db))
      ? okFinding('search', 'tolerates typing errors')
      : noteFinding(
          'search',
          'does not tolerate typing errors: pg_trgm is missing. See "Search" in docs/how-to/operating.md.',
        ),
  ];
}

async function checkWebhooks(db: Db): Promise<DoctorFinding[]> {
  const { failing, disabled } = await countFailingAndDisabledEndpoints(db);
  if (failing + disabled === 0) return [okFinding('webhooks', 'every endpoint accepts its deliveries')];
  return [
    noteFinding(
      'webhooks',
      `${failing} endpoints fail, ${disabled} were disabled after failures. The reason is in the deliveries of each endpoint.`,
    ),
  ];
}

async function checkJobs(db: Db): Promise<DoctorFinding[]> {
  const states = await createJobAdmin(db).states();
  const failed = states.reduce((sum, state) => sum + state.failed, 0);
  const lateQueues = states
    .filter(({ oldestSeconds }) => oldestSeconds > maxQueueDelaySeconds)
    .map(({ queue }) => queue);
  return [
    failed === 0
      ? okFinding('jobs', 'none has failed permanently')
      : noteFinding('jobs', `${failed} have failed permanently. See: duet jobs --failed`),
    ...(lateQueues.length === 0
      ? []
      : [
          errorFinding(
            'jobs',
            `no process has worked on ${lateQueues.join(', ')} for more than ${maxQueueDelaySeconds / 60} minutes. Start a gateway.`,
          ),
        ]),
  ];
}

const parseDoctorArgs = (args: readonly string[]) => parseCommandArgs(args, doctorOptions).values;

/** The part of `duet doctor` that needs the database. */
export const doctorDatabaseCommand = createDatabaseCommand(
  parseDoctorArgs,
  async ({ config, db, write, colours = false }, { json }) => {
    const findings = [
      ...(await checkDatabase(config, db)),
      ...(await checkShards(config, db, checkDatabase)),
    ];
    write(formatFindings(findings, json, colours));
    if (hasErrorFinding(findings)) throw new OperatorError(doctorFailureMessage);
  },
);
