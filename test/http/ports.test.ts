/** What is counted and traced of the parts outside: every call, and an end that is a failure as one. */
import { beforeAll, expect, it } from 'vitest';
import { createPrometheus, type Prometheus } from '../../src/adapters/metrics/prometheus.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type Hooks, startHooks } from '../support/hooks.ts';

let t: TestApp;
let hooks: Hooks;
let prometheus: Prometheus;
beforeAll(async () => {
  prometheus = createPrometheus();
  t = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'on' }, undefined, prometheus);
  hooks = await startHooks();
});

/** How often each call of a port ended how, as in `post ok`. */
async function counted(port: string): Promise<Record<string, number>> {
  const series =
    /^duet_port_call_duration_seconds_count\{port="(\w+)",call="(\w+)",outcome="(\w+)"\} (\d+)$/gm;
  const all = [...(await prometheus.text()).matchAll(series)].filter(([, its]) => its === port);
  return Object.fromEntries(all.map(([, , call, outcome, count]) => [`${call} ${outcome}`, Number(count)]));
}

it('counts a delivery as failed that its receiver did not take', async () => {
  const { webhooks } = t.app.services;
  for (const status of [200, 204, 302, 410, 500]) {
    hooks.answer = (response) => void response.writeHead(status).end();
    expect(await webhooks.post({ url: hooks.url, headers: {}, body: '{}' })).toMatchObject({ status });
  }
  expect(await counted('webhooks')).toEqual({ 'post ok': 2, 'post failed': 3 });
});
