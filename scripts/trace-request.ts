/**
 * Files and functions that one warm request passes: `npm run trace-request [-- <path>]` for a list of products by REST and by GraphQL, or for
 * one path. V8 counts the calls; callbacks of timers and jobs that run at the same time are counted too.
 */
import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { openDb } from '../src/db/open.ts';
import { packageRoot } from '../src/lib/package-info.ts';
import { seedDemo } from '../src/seed/demo.ts';
import { demoShop } from '../src/seed/shop-data.ts';
import { cachedTemplate } from './database-template.ts';

const warmUpRequests = 50;

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

const { email, password, businessId } = demoShop;
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

/** Names of the called functions by file of `src`. */
async function takeCalls(): Promise<Map<string, string[]>> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const called = new Map<string, string[]>();
  for (const { url, functions } of result) {
    if (!url.startsWith('file:')) continue;
    const file = relative(packageRoot, fileURLToPath(url));
    const names = functions.flatMap(({ functionName, ranges: [range] }) =>
      range && range.count > 0 ? [functionName || '(anonymous)'] : [],
    );
    if (file.startsWith('src/') && names.length > 0) called.set(file, names);
  }
  return called;
}

async function traceRequest(title: string, createRequest: () => Request): Promise<void> {
  let status = 0;
  const send = async () => {
    const response = await app.fetch(createRequest());
    await response.text();
    status = response.status;
  };
  for (let sent = 0; sent < warmUpRequests; sent += 1) await send();
  await takeCalls();
  await send();
  const called = await takeCalls();
  const functions = [...called.values()].reduce((total, names) => total + names.length, 0);
  const folders = new Set([...called.keys()].map((file) => file.split('/').slice(0, -1).join('/')));
  console.log(
    `${title}: status ${status}, ${called.size} files, ${functions} functions, ${folders.size} folders`,
  );
  for (const [file, names] of [...called].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`  ${file}: ${names.join(', ')}`);
}

const [path] = process.argv.slice(2);
const restPath = path ?? `/v1/businesses/${businessId}/products?limit=5`;
await traceRequest(`GET ${restPath}`, () => new Request(`http://duet.test${restPath}`, { headers }));
const query = 'query ($id: ID!) { products(businessId: $id, first: 5) { edges { node { id name } } } }';
if (path === undefined)
  await traceRequest('POST /graphql, products', () => graphqlRequest(query, { id: businessId }, headers));
await app.stop();
await db.close();
