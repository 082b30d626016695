/** What operators see, if they hold a token for it: metrics and the admin pages. */
import type { Prometheus } from '../adapters/metrics/prometheus.ts';
import type { Services } from '../context.ts';
import { adminEndpoints, adminFiles } from './admin/endpoints.ts';
import { createRates } from './admin/rates.ts';
import { tokenCheck } from './bearer.ts';
import { metricsPage } from './metrics.ts';
import type { Page } from './pages/page.ts';

/** On the gateway's own port unless there is another for it. */
export function metricsPages(services: Services, prometheus: Prometheus | undefined): [string, Page][] {
  const { metrics } = services.config;
  if (!prometheus || metrics?.token === undefined || metrics.port !== undefined) return [];
  return [['/metrics', metricsPage(prometheus, tokenCheck(services, metrics.token))]];
}

/** Only where there is a token for it, and counts to show. */
export function adminFor(services: Services, prometheus: Prometheus | undefined) {
  const { adminToken } = services.config;
  if (adminToken === undefined || !prometheus) return undefined;
  const { requestTotals: totals } = prometheus;
  const rates = createRates(totals);
  return {
    rates,
    files: adminFiles,
    endpoints: adminEndpoints(services, tokenCheck(services, adminToken), {
      db: services.db,
      rates,
      totals,
      usage: services.usage,
    }),
  };
}
