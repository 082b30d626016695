/**
 * A rolling upgrade: a gateway of an earlier commit (`UPGRADE_FROM`, a git ref) serves people, this one starts and migrates beside it,
 * both serve, and the earlier one is stopped. Nobody is told a lie, and nobody is left without an answer.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, inject, it } from 'vitest';
import { buildOf } from '../../bench/compare.ts';
import type { RestRoute } from '../../src/rest/route.ts';
import { Dice } from '../simulation/seeded-random.ts';
import { auditedDatabaseUrl } from '../support/audited-databases.ts';
import { type Gateway, startGateway, startNodeProcess } from '../support/gateway-process.ts';
import { everybody, lies, opened, tallyOf } from './network-faults/verified-workload.ts';
import { look, type Workload } from './network-faults/workload.ts';

const from = process.env.UPGRADE_FROM ?? '';
/** How many answers people get before the next thing happens. */
const answers = Number(process.env.UPGRADE_ANSWERS ?? 150);
const seed = 1;

const running: Gateway[] = [];
afterAll(() => Promise.all(running.map((gateway) => gateway.kill())));

async function started(gateway: Promise<Gateway>): Promise<Gateway> {
  running.push(await gateway);
  return gateway;
}

/** A route as versions up to 0.2.0 declare it. */
interface OldRoute extends Pick<RestRoute, 'method' | 'path' | 'operation' | 'query'> {
  fields: readonly string[];
  alias: Readonly<Record<string, string>>;
  drop: readonly string[];
  answer: { otherwise?: Readonly<Record<string, string>> };
  missing: string;
}

const fromOldRoute = ({ method, path, operation, query, ...old }: OldRoute): RestRoute => {
  const { otherwise, ...response } = old.answer;
  return {
    method,
    path,
    operation,
    query,
    bodyFields: old.fields,
    inputAliases: old.alias,
    ignoredFields: old.drop,
    response: { ...response, ...(otherwise && { fallback: otherwise }) } as RestRoute['response'],
    recordName: old.missing,
  };
};

/** Routes of the old version: its clients are older than the gateways and send requests as that version documents them. */
async function routesOf(folder: string): Promise<RestRoute[]> {
  const module = (name: string) => join(folder, 'dist', 'src', 'generated', 'domains', `${name}.js`);
  if (existsSync(module('routes'))) return (await import(pathToFileURL(module('routes')).href)).routes;
  const { rows } = (await import(pathToFileURL(module('rows')).href)) as { rows: OldRoute[] };
  return rows.map(fromOldRoute);
}

const countOf = ({ tally }: Workload) => [...tally.values()].reduce((sum, count) => sum + count, 0);

async function moreAnswers(load: Workload): Promise<void> {
  const before = countOf(load);
  await expect.poll(() => countOf(load)).toBeGreaterThan(before + answers);
}

it.skipIf(from === '')(
  `people notice nothing of an upgrade from ${from || 'an earlier commit'}`,
  async () => {
    const url = await auditedDatabaseUrl({ migrated: false });
    const env = {
      DATABASE_URL: url,
      SEED_DEMO: 'on',
      UNPAID_ORDERS_PER_CUSTOMER: '1000000',
      UNPAID_ORDERS_PER_ADDRESS: '1000000',
    };
    const folder = await buildOf(from);
    const program = ['--import', join(inject('programs'), 'exit-with-parent.js'), join('dist', 'server', 'main.js')];
    const old = await started(startNodeProcess(program, env, folder));

    const serving = [old.url];
    const chance = new Dice(seed);
    const known = await routesOf(folder);
    const shop = await opened(old.url, () => chance.pick(serving) ?? '', known);
    const { load } = shop;
    const working = everybody(load, seed);
    try {
      await moreAnswers(load);
      const young = await started(startGateway(env));
      serving.push(young.url);
      await moreAnswers(load);
      // As a load balancer does that asks for readiness.
      serving.shift();
      expect(await old.stop()).toBe(0);
      await moreAnswers(load);
    } catch (error) {
      load.abandoned = true;
      console.log(...running.map((gateway) => gateway.output().slice(-4000)));
      throw error;
    } finally {
      load.over = true;
      await working;
      console.log(tallyOf(load));
    }
    expect(load.faults).toEqual([]);
    expect([...load.tally.keys()].filter((outcome) => outcome.endsWith('no answer'))).toEqual([]);
    for (const id of load.records) expect(await look(load, new Dice(seed), 'the last', id)).toBe(true);
    expect(await lies(shop, url)).toEqual([]);
  },
  900_000,
);
