/** What `/admin` shows, gathered: this process, the others on the same database, and what they have to do. */
import { createJobDesk } from '../../adapters/jobs/desk.ts';
import { type Migrations, migrationState, type Process, processesOn } from '../../db/neighbours.ts';
import type { Db } from '../../db/sql.ts';
import { type StuckOrder, stuckOrders } from '../../domains/orders/stuck.ts';
import { readUsage, type Used } from '../../domains/usage/read.ts';
import { packageVersion } from '../../lib/package-version.ts';
import type { QueueState } from '../../ports/jobs.ts';
import type { RequestTotals } from '../../ports/metrics.ts';
import type { Usage } from '../../ports/usage.ts';
import { everySeconds, type Operation, operationsOf, type Rates, type Series } from './rates.ts';

export interface Watching {
  db: Db;
  rates: Rates;
  totals(): Promise<RequestTotals[]>;
  usage: Usage;
}

export interface Status {
  version: string;
  upSeconds: number;
  everySeconds: number;
  voices: Series;
  slowest: Operation[];
  failing: Operation[];
  clients: Used[];
  queues: QueueState[];
  stuckOrders: StuckOrder[];
  processes: Process[];
  migrations: Migrations;
}

const shown = 10;
const clientsShown = 100;
const clientsDays = 30;

export async function readStatus({ db, rates, totals, usage }: Watching): Promise<Status> {
  // What this process has counted so far is among it.
  await usage.flush();
  const [requests, clients, queues, stuck, processes, migrations] = await Promise.all([
    totals(),
    readUsage(db, { days: clientsDays, kinds: ['OPERATION', 'ROW'], most: clientsShown }),
    createJobDesk(db).states(),
    stuckOrders(db, shown),
    processesOn(db),
    migrationState(db),
  ]);
  const operations = operationsOf(requests).filter(({ voice }) => voice !== 'other');
  return {
    version: packageVersion,
    upSeconds: Math.round(process.uptime()),
    everySeconds,
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
