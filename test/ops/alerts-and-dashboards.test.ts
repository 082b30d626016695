/** Alert rules and the Grafana dashboard use only existing metrics, and promtool accepts the rules. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createPrometheus } from '../../src/adapters/metrics/prometheus.ts';
import { httpStatusByErrorCode } from '../../src/errors.ts';

const rules = readFileSync('ops/rules.yml', 'utf8');
const dashboard = readFileSync('ops/grafana.json', 'utf8');

async function listMetrics(): Promise<Set<string>> {
  const prometheus = createPrometheus();
  prometheus.registerGaugeSources({
    connections: () => ({ open: 0, idle: 0, waiting: 0 }),
    caches: () => new Map(),
    liveStreams: () => 0,
    queues: async () => [],
    replicas: async () => undefined,
  });
  const text = await prometheus.text();
  const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
  return new Set(names);
}

it('uses existing metrics only', async () => {
  const metrics = await listMetrics();
  const usedMetrics = [...`${rules}${dashboard}`.matchAll(/\b(?:duet|nodejs)_[a-z0-9_]+/g)].map(
    ([name]) => name,
  );
  expect(usedMetrics.length).toBeGreaterThan(10);
  expect(usedMetrics.filter((name) => !metrics.has(name))).toEqual([]);
});

it('counts every server error in the alert of failing requests', () => {
  const [, outcomes = ''] = /alert: DuetFailing\n[\s\S]*?outcome=~"([^"]+)"/.exec(rules) ?? [];
  const serverErrors = Object.entries(httpStatusByErrorCode).flatMap(([code, status]) =>
    status >= 500 ? [code] : [],
  );
  expect(outcomes.split('|').sort()).toEqual(serverErrors.sort());
});

it('has dashboard panels with unique ids and queries', () => {
  const { panels } = JSON.parse(dashboard) as { panels: { id: number; targets: { expr: string }[] }[] };
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(panels.flatMap(({ targets }) => targets).filter(({ expr }) => !expr)).toEqual([]);
});

const promtool = spawnSync('promtool', ['--version']).status === 0;

// Only where Prometheus is installed: its package is large.
it.runIf(promtool)('passes promtool', () => {
  const { status, stderr, stdout } = spawnSync('promtool', ['check', 'rules', 'ops/rules.yml'], {
    encoding: 'utf8',
  });
  expect({ status, output: `${stdout}${stderr}` }).toMatchObject({ status: 0 });
});
