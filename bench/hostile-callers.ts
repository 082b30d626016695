/** Hostile callers of `bench:hostile`: each takes as much of the gateway as it can get, until its process is stopped. */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { getIntrospectionQuery } from 'graphql';
import { hostileSockets } from './hostile-sockets.ts';
import { type Connection, httpRequest, openConnection } from './load.ts';

export interface HostileCallerOptions {
  kind: string;
  port: number;
  businessId: string;
  /** Network address of the caller, in `X-Forwarded-For`. */
  address: string;
  /** Access and refresh token of a guest. */
  guest: { accessToken: string; refreshToken: string };
  /** Access token of an account, and the business of which it is the administrator. */
  owner: { accessToken: string; businessId: string };
}

/** Responses by status; 0 counts broken connections, `open` sockets that were opened and got no response yet. */
export type HostileCallerStatuses = Record<string, number>;

interface HostileCaller extends HostileCallerOptions {
  /** Sends requests on `connections` sockets, one after the other on each, without an end. */
  repeat(connections: number, request: () => string): Promise<unknown>;
  count(status: number | 'open', change?: 1 | -1): void;
}

const headersOf = (address: string, token?: string) => ({
  'x-forwarded-for': address,
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
});

const graphqlRequest = (headers: Record<string, string>, query: string) =>
  httpRequest('POST', '/graphql', headers, JSON.stringify({ query }));

let texts = 0;
/** Differs with each call, so that no cache answers. */
function nextText(): string {
  texts += 1;
  return `a${texts}`;
}

/** Each of these fields searches and counts all products of the business. */
function facetsDocument(businessId: string): string {
  const fields = Array.from(
    { length: 30 },
    (_, n) =>
      `f${n}: products(businessId: "${businessId}", first: 1, search: "${nextText()}") { facets { inStock } }`,
  );
  return `{ ${fields.join(' ')} }`;
}

/** Takes up to 40 ms to validate: all operations use all variables of one fragment. */
function documentWithManyVariables(): string {
  const operations = Array.from({ length: 100 }, () => `query ${nextText()}($v: ID!) { ...F }`);
  return `${operations.join(' ')} fragment F on Query { products(businessId: "x", ids: [${'$v '.repeat(900)}]) { nodes { id } } }`;
}

const randomAddress = () => `100.${[64, 256, 256].map((size) => Math.floor(Math.random() * size)).join('.')}`;

interface StartedImport {
  upload: { uploadUrl: string; fields: { name: string; value: string }[] };
}

/** Sends all fields of a form and the beginning of its file, then one byte a second. */
async function trickle(
  { port, address, count }: HostileCaller,
  { uploadUrl, fields }: StartedImport['upload'],
): Promise<void> {
  const parts = fields.map(
    ({ name, value }) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = '--b\r\ncontent-disposition: form-data; name="file"; filename="lines.jsonl"\r\n\r\n';
  const head = [
    `POST ${new URL(uploadUrl).pathname} HTTP/1.1`,
    'host: localhost',
    `x-forwarded-for: ${address}`,
    'content-type: multipart/form-data; boundary=b',
    'content-length: 1000000',
    '',
    `${parts.join('')}${file}`,
  ].join('\r\n');
  const socket = connect(port, '127.0.0.1');
  let isOpen = true;
  count('open');
  socket.on('data', (data) => count(Number(data.toString('latin1', 9, 12))));
  socket.on('error', () => count(0));
  socket.on('close', () => {
    isOpen = false;
    count('open', -1);
  });
  socket.write(head);
  while (isOpen) {
    await sleep(1000);
    if (isOpen) socket.write('x');
  }
}

async function startImport({ port, owner, address }: HostileCaller): Promise<StartedImport | number> {
  const response = await fetch(
    `http://127.0.0.1:${port}/v1/businesses/${owner.businessId}/bulk-operations/imports`,
    {
      method: 'POST',
      headers: { ...headersOf(address, owner.accessToken), 'content-type': 'application/json' },
      body: '{"resource":"PRODUCTS"}',
    },
  );
  return response.ok ? ((await response.json()) as StartedImport) : response.status;
}

/** A file of 15 MB, whose lines have as many values as an import accepts. */
const importLines = () => `{"name":"x","blocks":[${'{},'.repeat(4_990)}{}]}\n`.repeat(1_000);

async function importFiles(caller: HostileCaller, file: string): Promise<void> {
  for (;;) {
    const started = await startImport(caller);
    if (typeof started === 'number') {
      caller.count(started);
      await sleep(200);
      continue;
    }
    const form = new FormData();
    for (const { name, value } of started.upload.fields) form.append(name, value);
    form.append('file', new Blob([file]), 'lines.jsonl');
    const path = new URL(started.upload.uploadUrl).pathname;
    const response = await fetch(`http://127.0.0.1:${caller.port}${path}`, {
      method: 'POST',
      headers: headersOf(caller.address),
      body: form,
    });
    caller.count(response.status);
    await response.text();
  }
}

/** Kinds of hostile callers. Connections are few enough that PostgreSQL and the measuring client, on the other core, can keep up. */
export const hostileCallers: Record<string, (caller: HostileCaller) => Promise<unknown>> = {
  ...hostileSockets,

  'expensive documents': ({ repeat, guest, businessId, address }) =>
    repeat(16, () => graphqlRequest(headersOf(address, guest.accessToken), facetsDocument(businessId))),

  'request flood': ({ repeat, guest, businessId, address }) =>
    repeat(200, () =>
      httpRequest(
        'GET',
        `/v1/businesses/${businessId}/products?limit=100&query=${nextText()}`,
        headersOf(address, guest.accessToken),
      ),
    ),

  'anonymous flood': ({ repeat, businessId, address }) =>
    repeat(200, () => httpRequest('GET', `/v1/businesses/${businessId}/products`, headersOf(address))),

  // Half of the sockets send the valid form of a started import, so that they get as far as they can; half a forged one.
  uploads: async (caller) => {
    const started = await startImport(caller);
    if (typeof started === 'number') throw new Error(`An import could not be started: ${started}`);
    const { upload } = started;
    const forged = { ...upload, fields: upload.fields.map(({ name }) => ({ name, value: 'x' })) };
    await Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        for (;;) await trickle(caller, n % 2 === 0 ? upload : forged);
      }),
    );
  },

  imports: (caller) => {
    const file = importLines();
    return Promise.all(Array.from({ length: 3 }, () => importFiles(caller, file)));
  },

  introspection: ({ repeat, guest, address }) =>
    repeat(16, () =>
      graphqlRequest(
        headersOf(address, guest.accessToken),
        getIntrospectionQuery().replace('IntrospectionQuery', nextText()),
      ),
    ),

  'new documents': ({ repeat, guest, address }) =>
    repeat(16, () => graphqlRequest(headersOf(address, guest.accessToken), documentWithManyVariables())),

  'refresh flood': ({ repeat, guest, address }) =>
    repeat(64, () =>
      httpRequest(
        'POST',
        '/v1/users/refresh',
        headersOf(address),
        JSON.stringify({ provider: 'GUEST', refreshToken: guest.refreshToken }),
      ),
    ),

  // From many networks: every attempt gets past the rate limits and computes a password hash.
  'sign-in flood': ({ repeat }) =>
    repeat(32, () =>
      httpRequest(
        'POST',
        '/v1/users/login',
        headersOf(randomAddress()),
        JSON.stringify({
          provider: 'EMAIL',
          email: `${randomUUID()}@people.example`,
          password: 'not the password',
        }),
      ),
    ),
};

/** Reports statuses to the parent process and exits when that sends a message. */
function runHostileCaller(options: HostileCallerOptions): void {
  const statuses: HostileCallerStatuses = {};
  const count = (status: number | 'open', change: 1 | -1 = 1) => {
    statuses[status] = (statuses[status] ?? 0) + change;
  };
  async function repeatOnSocket(request: () => string): Promise<void> {
    let connection: Connection | undefined;
    for (;;) {
      let status = 0;
      try {
        connection ??= await openConnection(options.port);
        status = await connection.send(request());
      } catch {
        connection = undefined;
        await sleep(100);
      }
      count(status);
    }
  }
  process.once('message', () => {
    process.send?.(statuses);
    process.disconnect();
    process.exit();
  });
  const repeat = (connections: number, request: () => string) =>
    Promise.all(Array.from({ length: connections }, () => repeatOnSocket(request)));
  void hostileCallers[options.kind]?.({ ...options, repeat, count });
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  runHostileCaller(JSON.parse(process.argv[2] ?? '') as HostileCallerOptions);
