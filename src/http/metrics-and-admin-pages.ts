/** Pages for operators, each behind its token: metrics and the admin pages. */
import type { Prometheus } from '../adapters/metrics/prometheus.ts';
import type { Services } from '../context.ts';
import { adminStaticFiles, createAdminEndpoints } from './admin/admin-endpoints.ts';
import { createRequestRateSampler } from './admin/request-rates.ts';
import { createMetricsPage, type MetricsSource } from './metrics-endpoint.ts';
import { createOperatorTokenGuard } from './operator-token.ts';
import type { HttpPageHandler } from './pages/http-page.ts';

/** `/metrics` on the gateway's port; empty when METRICS_PORT is set or there is no METRICS_TOKEN. */
export function createMetricsPages(
  services: Services,
  source: MetricsSource | undefined,
): [string, HttpPageHandler][] {
  const { metrics } = services.config;
  if (!source || metrics?.token === undefined || metrics.port !== undefined) return [];
  return [['/metrics', createMetricsPage(source, createOperatorTokenGuard(services, metrics.token))]];
}

/** Admin pages; undefined without ADMIN_TOKEN or without Prometheus counters. */
export function createAdminPages(services: Services, prometheus: Prometheus | undefined) {
  const { adminToken } = services.config;
  if (adminToken === undefined || !prometheus) return undefined;
  const { requestTotals: totals } = prometheus;
  const rates = createRequestRateSampler(totals);
  return {
    rates,
    files: adminStaticFiles,
    endpoints: createAdminEndpoints(services, createOperatorTokenGuard(services, adminToken), {
      db: services.db,
      rates,
      totals,
      usage: services.usage,
    }),
  };
}
