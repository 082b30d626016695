/** Collects the data of `/admin`: request rates of this process, client usage, queues, stuck orders, connected processes and migrations. */
import { createJobAdmin } from '../../adapters/jobs/job-admin.ts';
import type { Db } from '../../db/handles.ts';
import { type ConnectedProcess, listConnectedProcesses } from '../../db/list-connected-processes.ts';
import { loadMigrationState, type MigrationState } from '../../db/migrations/migration-state.ts';
import {
  listUnpaidOrdersMissedByExpiry,
  type OverdueUnpaidOrder,
} from '../../domains/orders/audit/list-unpaid-orders-missed-by-expiry.ts';
import { readApiUsage, type UsageSummary } from '../../domains/usage/read-api-usage.ts';
import { packageVersion } from '../../lib/package-info.ts';
import type { QueueState } from '../../ports/jobs.ts';
import type { RequestTotals } from '../../ports/metrics.ts';
import type { UsageRecorder } from '../../ports/usage.ts';
import {
  type OperationStats,
  type RequestRateSampler,
  type RequestRatesByProtocol,
  requestRateIntervalSeconds,
  summarizeOperationRequests,
} from './request-rates.ts';

export interface StatusSources {
  db: Db;
  rates: RequestRateSampler;
  totals(): Promise<RequestTotals[]>;
  usage: UsageRecorder;
}

export interface AdminStatus {
  version: string;
  upSeconds: number;
  everySeconds: number;
  protocols: RequestRatesByProtocol;
  slowest: OperationStats[];
  failing: OperationStats[];
  clients: UsageSummary[];
  queues: QueueState[];
  stuckOrders: OverdueUnpaidOrder[];
  processes: ConnectedProcess[];
  migrations: MigrationState;
}

const maxRows = 10;
const maxClients = 100;
const usageDays = 30;

export async function readAdminStatus({ db, rates, totals, usage }: StatusSources): Promise<AdminStatus> {
  // Includes the usage that this process has counted and not written yet.
  await usage.flush();
  const [requests, clients, queues, stuckOrders, processes, migrations] = await Promise.all([
    totals(),
    readApiUsage(db, { days: usageDays, kinds: ['OPERATION', 'ROW'], limit: maxClients }),
    createJobAdmin(db).states(),
    listUnpaidOrdersMissedByExpiry(db, maxRows),
    listConnectedProcesses(db),
    loadMigrationState(db),
  ]);
  const operations = summarizeOperationRequests(requests).filter(({ protocol }) => protocol !== 'other');
  return {
    version: packageVersion,
    upSeconds: Math.round(process.uptime()),
    everySeconds: requestRateIntervalSeconds,
    protocols: rates.series(),
    slowest: [...operations].sort((a, b) => b.p95Ms - a.p95Ms || b.meanMs - a.meanMs).slice(0, maxRows),
    failing: operations
      .filter(({ failed }) => failed > 0)
      .sort((a, b) => b.failed - a.failed)
      .slice(0, maxRows),
    clients,
    queues,
    stuckOrders,
    processes,
    migrations,
  };
}
