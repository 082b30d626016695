/**
 * The road of one warm request: `npm run trace-request [-- <path>]` for a list of products by REST and by GraphQL, or for one path; with
 * `--json` its numbers only (test/contract/request-road.test.ts). V8's coverage finds the functions that a request calls; breakpoints whose
 * condition records and never pauses give their order.
 */
import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { openDb } from '../src/db/open-db.ts';
import { packageRoot } from '../src/lib/package-info.ts';
import { seedDemo } from '../src/seed/demo.ts';
import { demoShopIdsAndLogins } from '../src/seed/shop-data.ts';
import { cachedTemplate } from './database-template.ts';

const isJson = process.argv.includes('--json');
/** Fewer than the request log records of one caller at once, so that it takes the same way for each of them. */
const warmUpRequests = 20;
/** No layers of their own, but part of the layer of their caller: helpers, interfaces, and the types of `src` that all layers share. */
const isShared = (file: string) => /^src\/(?:(?:lib|vendor|ports)\/|[\w-]+\.ts$)/.test(file);

const db = await openDb({ dataDir: 'memory', template: await cachedTemplate() });
await seedDemo(db);
const app = await createApp({
  config: readConfig({ RATE_LIMIT: 'off' }),
  db,
  log: pino({ level: 'silent' }),
});
const graphqlRequest = (query: string, variables: object, headers: Record<string, string> = {}) =>
  new Request('http://duet.test/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });

const { email, password, businessId } = demoShopIdsAndLogins;
const login = await app.fetch(
  graphqlRequest('mutation ($input: LoginInput!) { login(input: $input) { auth { accessToken } } }', {
    input: { signInWith: 'EMAIL', email, password },
  }),
);
const { data } = (await login.json()) as { data: { login: { auth: { accessToken: string } } } };
const headers = { authorization: `Bearer ${data.login.auth.accessToken}` };

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
await session.post('Debugger.enable');

interface CalledFunction {
  file: string;
  name: string;
  scriptId: string;
  offset: number;
}

/** Functions of `src` that were called since the last time. */
async function takeCalls(): Promise<CalledFunction[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result.flatMap(({ url, scriptId, functions }) => {
    const file = url.startsWith('file:') ? relative(packageRoot, fileURLToPath(url)) : '';
    if (!file.startsWith('src/')) return [];
    return functions.flatMap(({ functionName: name, ranges: [range] }) =>
      range && range.count > 0 && name !== '__name'
        ? [{ file, name: name || '(anonymous)', scriptId, offset: range.startOffset }]
        : [],
    );
  });
}

/** Calls in their order, by index in `functions`. */
const order: number[] = [];
Object.assign(globalThis, { recordCall: (index: number) => void order.push(index) });

async function observeOrder(functions: readonly CalledFunction[]): Promise<() => Promise<void>> {
  const sources = new Map<string, string>();
  const breakpoints: string[] = [];
  for (const [index, { scriptId, offset }] of functions.entries()) {
    let source = sources.get(scriptId);
    if (source === undefined) {
      source = (await session.post('Debugger.getScriptSource', { scriptId })).scriptSource;
      sources.set(scriptId, source);
    }
    const lines = source.slice(0, offset).split('\n');
    const start = { scriptId, lineNumber: lines.length - 1, columnNumber: lines.at(-1)?.length ?? 0 };
    const { locations } = await session.post('Debugger.getPossibleBreakpoints', {
      start,
      restrictToFunction: true,
    });
    const [location] = locations;
    if (!location) continue;
    const condition = `recordCall(${index})`;
    const { breakpointId } = await session.post('Debugger.setBreakpoint', { location, condition });
    breakpoints.push(breakpointId);
  }
  return async () => {
    for (const breakpointId of breakpoints) await session.post('Debugger.removeBreakpoint', { breakpointId });
  };
}

const layerOf = (file: string) => file.split('/')[1] ?? '';

interface RoadNumbers {
  protocol: string;
  status: number;
  files: number;
  changesOfLayer: number;
}

async function traceRequest(
  protocol: string,
  title: string,
  createRequest: () => Request,
): Promise<RoadNumbers> {
  let status = 0;
  const send = async () => {
    const response = await app.fetch(createRequest());
    await response.text();
    status = response.status;
  };
  for (let sent = 0; sent < warmUpRequests; sent += 1) await send();
  await takeCalls();
  await send();
  const functions = await takeCalls();
  const stop = await observeOrder(functions);
  order.length = 0;
  await send();
  await stop();
  const calls = order.flatMap((index) => functions[index] ?? []);
  const road: CalledFunction[][] = [];
  for (const call of calls) {
    const layer = layerOf(call.file);
    const last = road.at(-1);
    if (last && (isShared(call.file) || layerOf(last[0]?.file ?? '') === layer)) last.push(call);
    else road.push([call]);
  }
  const files = new Set(functions.map(({ file }) => file));
  const numbers = { protocol, status, files: files.size, changesOfLayer: road.length - 1 };
  if (isJson) return numbers;
  const folders = new Set([...files].map((file) => file.split('/').slice(0, -1).join('/')));
  console.log(
    `${title}: status ${status}, ${files.size} files, ${functions.length} functions, ${folders.size} folders, ${road.length - 1} changes of layer`,
  );
  for (const part of road) {
    console.log(`  ${layerOf(part[0]?.file ?? '')}`);
    const byFile = new Map<string, Set<string>>();
    for (const { file, name } of part) byFile.set(file, (byFile.get(file) ?? new Set()).add(name));
    for (const [file, names] of byFile) console.log(`    ${file}: ${[...names].join(', ')}`);
  }
  return numbers;
}

const path = process.argv.slice(2).find((argument) => argument !== '--json');
const restPath = path ?? `/v1/businesses/${businessId}/products?limit=5`;
const roads = [
  await traceRequest(
    'REST',
    `GET ${restPath}`,
    () => new Request(`http://duet.test${restPath}`, { headers }),
  ),
];
const query =
  'query ($businessId: ID!) { products(businessId: $businessId, first: 5) { nodes { id name } } }';
if (path === undefined)
  roads.push(
    await traceRequest('GraphQL', 'POST /graphql, products', () =>
      graphqlRequest(query, { businessId }, headers),
    ),
  );
if (isJson) console.log(JSON.stringify(roads));
await app.stop();
await db.close();
