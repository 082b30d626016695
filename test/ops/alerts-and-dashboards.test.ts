/** Alerts and dashboard name only metrics that there are, and Prometheus can read them. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createPrometheus } from '../../src/adapters/metrics/prometheus.ts';

const rules = readFileSync('ops/rules.yml', 'utf8');
const dashboard = readFileSync('ops/grafana.json', 'utf8');

async function known(): Promise<Set<string>> {
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

it('asks for metrics that there are', async () => {
  const metrics = await known();
  const asked = [...`${rules}${dashboard}`.matchAll(/\b(?:duet|nodejs)_[a-z0-9_]+/g)].map(([name]) => name);
  expect(asked.length).toBeGreaterThan(10);
  expect(asked.filter((name) => !metrics.has(name))).toEqual([]);
});

it('is a dashboard with panels that have queries', () => {
  const { panels } = JSON.parse(dashboard) as { panels: { id: number; targets: { expr: string }[] }[] };
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(panels.flatMap(({ targets }) => targets).filter(({ expr }) => !expr)).toEqual([]);
});

const promtool = spawnSync('promtool', ['--version']).status === 0;

// Only where Prometheus is installed: its package is large.
it.runIf(promtool)('can be read by Prometheus', () => {
  const { status, stderr, stdout } = spawnSync('promtool', ['check', 'rules', 'ops/rules.yml'], {
    encoding: 'utf8',
  });
  expect({ status, output: `${stdout}${stderr}` }).toMatchObject({ status: 0 });
});
