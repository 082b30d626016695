/** What the database tells: version, migrations, connections, clock, queues, deliveries. */
import { createJobAdmin } from '../../adapters/jobs/admin.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/handles.ts';
import { pendingMigrations } from '../../db/migrations/migrate.ts';
import { hasTrigramSupport } from '../../db/pg-trgm-support.ts';
import { countFailingEndpoints } from '../../domains/webhooks/delivery/failing-endpoints.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import type { DatabaseCommand } from '../command.ts';
import { checkClock } from './check-clock.ts';
import { checkDirectUrl } from './check-direct-url.ts';
import { checkReplicas } from './check-replicas.ts';
import {
  type DoctorFinding,
  doctorFailureMessage,
  errorFinding,
  formatFinding,
  hasErrorFinding,
  noteFinding,
  okFinding,
  runDoctorCheck,
} from './finding.ts';

const oldestVersion = 140_000;
/** Beside its pool a process has two connections for short reads and one for live updates; two more migrate at start-up. */
const connectionsBeside = 5;
const lateSeconds = 300;

export async function checkDatabase(config: Config, db: Db): Promise<DoctorFinding[]> {
  const server = db.embedded
    ? [okFinding('database', 'embedded, opens')]
    : [
        ...(await aboutServer(config, db)),
        ...(await runDoctorCheck('direct', () => checkDirectUrl(config, db))),
        ...(await checkReplicas(config, db)),
      ];
  const pending = await pendingMigrations(db);
  if (pending.length > 0) {
    return [...server, errorFinding('migrations', `${pending.length} are missing. Run: duet migrate`)];
  }
  return [
    ...server,
    okFinding('migrations', 'up to date'),
    ...(await runDoctorCheck('search', () => aboutSearch(db))),
    ...(await runDoctorCheck('jobs', () => aboutJobs(db))),
    ...(await runDoctorCheck('webhooks', () => aboutWebhooks(db))),
  ];
}

interface Facts {
  version: number;
  release: string;
  time: number;
  most: number;
  used: number;
}

async function aboutServer({ databasePool }: Config, db: Db): Promise<DoctorFinding[]> {
  const [facts] = await db.sql<Facts>(`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as release,
      extract(epoch from clock_timestamp())::float8 as time,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
      (select count(*) from pg_stat_activity where backend_type = 'client backend') as used`);
  if (!facts) return [];
  const each = databasePool + connectionsBeside;
  const processes = Math.floor(facts.most / each);
  const room = `${facts.most} connections (${facts.used} in use) serve ${processes} processes with DATABASE_POOL=${databasePool}`;
  return [
    facts.version >= oldestVersion
      ? okFinding('database', `PostgreSQL ${facts.release}`)
      : errorFinding('database', `PostgreSQL ${facts.release} is too old: 14 or later is needed.`),
    processes > 0
      ? okFinding('pool', room)
      : errorFinding(
          'pool',
          `${room}. Lower DATABASE_POOL to ${facts.most - connectionsBeside} or less, or raise max_connections.`,
        ),
    checkClock('the database', facts.time),
  ];
}

async function aboutSearch(db: Db): Promise<DoctorFinding[]> {
  return [
    (await hasTrigramSupport(db))
      ? okFinding('search', 'forgives typing mistakes')
      : noteFinding(
          'search',
          'does not forgive typing mistakes. See "Search" in docs/operating.md on how to add pg_trgm.',
        ),
  ];
}

async function aboutWebhooks(db: Db): Promise<DoctorFinding[]> {
  const { failing, disabled } = await countFailingEndpoints(db);
  if (failing + disabled === 0) return [okFinding('webhooks', 'every endpoint takes its deliveries')];
  return [
    noteFinding(
      'webhooks',
      `${failing} endpoints fail, ${disabled} are disabled for it. Their businesses see why in the deliveries of each.`,
    ),
  ];
}

async function aboutJobs(db: Db): Promise<DoctorFinding[]> {
  const states = await createJobAdmin(db).states();
  const failed = states.reduce((sum, state) => sum + state.failed, 0);
  const late = states.filter(({ oldestSeconds }) => oldestSeconds > lateSeconds).map(({ queue }) => queue);
  return [
    failed === 0
      ? okFinding('jobs', 'none has failed for good')
      : noteFinding('jobs', `${failed} have failed for good. See: duet jobs --failed`),
    ...(late.length === 0
      ? []
      : [
          errorFinding(
            'jobs',
            `nobody works on ${late.join(', ')} for more than ${lateSeconds / 60} minutes. Start a gateway.`,
          ),
        ]),
  ];
}

/** The part of `duet doctor` that needs the database. */

export const doctorDatabaseCommand: DatabaseCommand = async ({ config, db, write }) => {
  const findings = await checkDatabase(config, db);
  write(findings.map(formatFinding).join(''));
  if (hasErrorFinding(findings)) throw new OperatorError(doctorFailureMessage);
};
