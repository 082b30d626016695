/** What the database tells: version, migrations, connections, clock, queues, deliveries. */
import { createJobDesk } from '../../adapters/jobs/desk.ts';
import type { Config } from '../../config.ts';
import { pendingMigrations } from '../../db/migrate.ts';
import type { Db } from '../../db/sql.ts';
import { knowsTrigrams } from '../../db/trigrams.ts';
import { failingEndpoints } from '../../domains/webhooks/failing.ts';
import { aboutClock } from './clock.ts';
import { directFindings } from './direct.ts';
import { type Finding, fine, note, safely, wrong } from './finding.ts';
import { replicaFindings } from './replicas.ts';

const oldestVersion = 140_000;
/** Beside its pool a process has two connections for short reads and one for live updates; two more migrate at start-up. */
const connectionsBeside = 5;
const lateSeconds = 300;

export async function databaseFindings(config: Config, db: Db): Promise<Finding[]> {
  const server = db.embedded
    ? [fine('database', 'embedded, opens')]
    : [
        ...(await aboutServer(config, db)),
        ...(await safely('direct', () => directFindings(config, db))),
        ...(await replicaFindings(config, db)),
      ];
  const pending = await pendingMigrations(db);
  if (pending.length > 0) {
    return [...server, wrong('migrations', `${pending.length} are missing. Run: duet migrate`)];
  }
  return [
    ...server,
    fine('migrations', 'up to date'),
    ...(await safely('search', () => aboutSearch(db))),
    ...(await safely('jobs', () => aboutJobs(db))),
    ...(await safely('webhooks', () => aboutWebhooks(db))),
  ];
}

interface Facts {
  version: number;
  release: string;
  time: number;
  most: number;
  used: number;
}

async function aboutServer({ databasePool }: Config, db: Db): Promise<Finding[]> {
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
      ? fine('database', `PostgreSQL ${facts.release}`)
      : wrong('database', `PostgreSQL ${facts.release} is too old: 14 or later is needed.`),
    processes > 0
      ? fine('pool', room)
      : wrong(
          'pool',
          `${room}. Lower DATABASE_POOL to ${facts.most - connectionsBeside} or less, or raise max_connections.`,
        ),
    aboutClock('the database', facts.time),
  ];
}

async function aboutSearch(db: Db): Promise<Finding[]> {
  return [
    (await knowsTrigrams(db))
      ? fine('search', 'forgives typing mistakes')
      : note(
          'search',
          'does not forgive typing mistakes. See "Search" in docs/operating.md on how to add pg_trgm.',
        ),
  ];
}

async function aboutWebhooks(db: Db): Promise<Finding[]> {
  const { failing, disabled } = await failingEndpoints(db);
  if (failing + disabled === 0) return [fine('webhooks', 'every endpoint takes its deliveries')];
  return [
    note(
      'webhooks',
      `${failing} endpoints fail, ${disabled} are disabled for it. Their businesses see why in the deliveries of each.`,
    ),
  ];
}

async function aboutJobs(db: Db): Promise<Finding[]> {
  const states = await createJobDesk(db).states();
  const failed = states.reduce((sum, state) => sum + state.failed, 0);
  const late = states.filter(({ oldestSeconds }) => oldestSeconds > lateSeconds).map(({ queue }) => queue);
  return [
    failed === 0
      ? fine('jobs', 'none has failed for good')
      : note('jobs', `${failed} have failed for good. See: duet jobs --failed`),
    ...(late.length === 0
      ? []
      : [
          wrong(
            'jobs',
            `nobody works on ${late.join(', ')} for more than ${lateSeconds / 60} minutes. Start a gateway.`,
          ),
        ]),
  ];
}
