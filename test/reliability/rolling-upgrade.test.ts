/**
 * Rolling upgrade: a gateway of an earlier commit (`UPGRADE_FROM`, a git ref) serves clients, this version starts and migrates the database
 * meanwhile, both serve, and the earlier one is stopped. No client gets a wrong response or none.
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
import {
  consistencyErrors,
  formatTally,
  prepareWorkload,
  runClients,
} from './network-faults/verified-workload.ts';
import { readProducts, type Workload } from './network-faults/workload.ts';

const from = process.env.UPGRADE_FROM ?? '';
/** Number of responses in each phase. */
const responsesPerPhase = Number(process.env.UPGRADE_ANSWERS ?? 150);
const seed = 1;

const running: Gateway[] = [];
afterAll(() => Promise.all(running.map((gateway) => gateway.kill())));

async function register(gateway: Promise<Gateway>): Promise<Gateway> {
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
    creates: undefined,
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

const countResponses = ({ tally }: Workload) => [...tally.values()].reduce((sum, count) => sum + count, 0);

async function runPhase(load: Workload): Promise<void> {
  const before = countResponses(load);
  await expect.poll(() => countResponses(load)).toBeGreaterThan(before + responsesPerPhase);
}

it.skipIf(from === '')(
  `clients get correct responses during an upgrade from ${from || 'an earlier commit'}`,
  async () => {
    const url = await auditedDatabaseUrl({ migrated: false });
    const env = {
      DATABASE_URL: url,
      SEED_DEMO: 'on',
      UNPAID_ORDERS_PER_CUSTOMER: '1000000',
      UNPAID_ORDERS_PER_ADDRESS: '1000000',
    };
    const folder = await buildOf(from);
    const program = [
      '--import',
      join(inject('programs'), 'exit-with-parent.js'),
      join('dist', 'server', 'main.js'),
    ];
    const oldGateway = await register(startNodeProcess(program, env, folder));

    const urls = [oldGateway.url];
    const dice = new Dice(seed);
    const prepared = await prepareWorkload(
      oldGateway.url,
      () => dice.pick(urls) ?? '',
      await routesOf(folder),
    );
    const { load } = prepared;
    const clients = runClients(load, seed);
    try {
      await runPhase(load);
      const newGateway = await register(startGateway(env));
      urls.push(newGateway.url);
      await runPhase(load);
      // A load balancer stops sending requests before the gateway stops.
      urls.shift();
      expect(await oldGateway.stop()).toBe(0);
      await runPhase(load);
    } catch (error) {
      load.abandoned = true;
      console.log(...running.map((gateway) => gateway.output().slice(-4000)));
      throw error;
    } finally {
      load.isOver = true;
      await clients;
      console.log(formatTally(load));
    }
    expect(load.errors).toEqual([]);
    expect([...load.tally.keys()].filter((outcome) => outcome.endsWith('no response'))).toEqual([]);
    for (const id of load.records)
      expect(await readProducts(load, new Dice(seed), 'final reader', id)).toBe(true);
    expect(await consistencyErrors(prepared, url)).toEqual([]);
  },
  900_000,
);
