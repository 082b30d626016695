/** What `/admin` shows, gathered: this process, the others on the same database, and what they have to do. */
import { createJobAdmin } from '../../adapters/jobs/admin.ts';
import {
  type ConnectedProcess,
  listConnectedProcesses,
  loadMigrationState,
  type MigrationState,
} from '../../db/connected-processes.ts';
import type { Db } from '../../db/handles.ts';
import { listStuckOrders, type StuckOrder } from '../../domains/orders/audit/stuck-orders.ts';
import { readUsage, type UsageSummary } from '../../domains/usage/read-usage.ts';
import { packageVersion } from '../../lib/package-info.ts';
import type { QueueState } from '../../ports/jobs.ts';
import type { RequestTotals } from '../../ports/metrics.ts';
import type { UsageRecorder } from '../../ports/usage.ts';
import {
  type OperationStats,
  type RateSeries,
  type RequestRates,
  rateIntervalSeconds,
  summarizeOperations,
} from './request-rates.ts';

export interface StatusSources {
  db: Db;
  rates: RequestRates;
  totals(): Promise<RequestTotals[]>;
  usage: UsageRecorder;
}

export interface AdminStatus {
  version: string;
  upSeconds: number;
  everySeconds: number;
  voices: RateSeries;
  slowest: OperationStats[];
  failing: OperationStats[];
  clients: UsageSummary[];
  queues: QueueState[];
  stuckOrders: StuckOrder[];
  processes: ConnectedProcess[];
  migrations: MigrationState;
}

const shown = 10;
const clientsShown = 100;
const clientsDays = 30;

export async function readAdminStatus({ db, rates, totals, usage }: StatusSources): Promise<AdminStatus> {
  // What this process has counted so far is among it.
  await usage.flush();
  const [requests, clients, queues, stuck, processes, migrations] = await Promise.all([
    totals(),
    readUsage(db, { days: clientsDays, kinds: ['OPERATION', 'ROW'], limit: clientsShown }),
    createJobAdmin(db).states(),
    listStuckOrders(db, shown),
    listConnectedProcesses(db),
    loadMigrationState(db),
  ]);
  const operations = summarizeOperations(requests).filter(({ voice }) => voice !== 'other');
  return {
    version: packageVersion,
    upSeconds: Math.round(process.uptime()),
    everySeconds: rateIntervalSeconds,
    voices: rates.series(),
    slowest: [...operations].sort((a, b) => b.p95Ms - a.p95Ms || b.meanMs - a.meanMs).slice(0, shown),
    failing: operations
      .filter(({ failed }) => failed > 0)
      .sort((a, b) => b.failed - a.failed)
      .slice(0, shown),
    clients,
    queues,
    stuckOrders: stuck,
    processes,
    migrations,
  };
}
