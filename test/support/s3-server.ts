/**
 * Minimal S3-compatible server in memory, with one bucket. It checks every request as S3 does: signature version 4, age of the request,
 * length of the body; it supports what the media store uses: PUT, GET with ranges, DELETE, and list version 2 by prefix.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { S3Options } from '../../src/ports/media.ts';

export interface S3Server {
  options: S3Options;
  close(): Promise<void>;
}

interface StoredObject {
  body: Buffer;
  type: string;
}

const bucket = 'duet-media';
const region = 'us-east-1';
const accessKey = 'TESTACCESSKEY';
const secretKey = 'test-secret-key';
const maxKeysPerList = 1000;
const maxClockSkewMs = 15 * 60_000;

export async function startS3(): Promise<S3Server> {
  const objects = new Map<string, StoredObject>();
  const server = createServer((request, response) => {
    answer(objects, request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    options: {
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      bucket,
      region,
      accessKey,
      secretKey,
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(
  objects: Map<string, StoredObject>,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const fail = (status: number, code: string) => {
    request.resume();
    response
      .writeHead(status, { 'content-type': 'application/xml' })
      .end(`<Error><Code>${code}</Code></Error>`);
  };
  const rejection = verifySignature(request);
  if (rejection) return fail(403, rejection);
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3');
  const [, requestedBucket, ...rest] = pathname.split('/');
  if (requestedBucket !== bucket) return fail(404, 'NoSuchBucket');
  const key = decodeURIComponent(rest.join('/'));
  const stored = objects.get(key);
  if (request.method === 'GET' && key === '') {
    if (searchParams.get('list-type') !== '2') return fail(501, 'NotImplemented');
    return response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(listing(objects, searchParams.get('prefix') ?? ''));
  }
  if (request.method === 'GET') return stored ? send(stored, request, response) : fail(404, 'NoSuchKey');
  if (request.method === 'DELETE') {
    objects.delete(key);
    return response.writeHead(204).end();
  }
  if (request.method !== 'PUT') return fail(405, 'MethodNotAllowed');
  const length = request.headers['content-length'];
  if (length === undefined) return fail(411, 'MissingContentLength');
  // An aborted request throws here: nothing is stored.
  const body = Buffer.concat(await request.toArray());
  if (body.length !== Number(length)) return fail(400, 'IncompleteBody');
  objects.set(key, { body, type: request.headers['content-type'] ?? 'application/octet-stream' });
  response.writeHead(200, { etag: `"${createHash('md5').update(body).digest('hex')}"` }).end();
}

function listing(objects: ReadonlyMap<string, StoredObject>, prefix: string): string {
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort();
  const shown = keys.slice(0, maxKeysPerList).map((key) => `<Contents><Key>${key}</Key></Contents>`);
  return `<ListBucketResult><IsTruncated>${keys.length > maxKeysPerList}</IsTruncated>${shown.join('')}</ListBucketResult>`;
}

function send({ body, type }: StoredObject, { headers }: IncomingMessage, response: ServerResponse): void {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  const part = first === undefined ? body : body.subarray(Number(first), Number(last) + 1);
  response.writeHead(first === undefined ? 200 : 206, {
    'content-type': type,
    'content-length': part.length,
    ...(first === undefined ? {} : { 'content-range': `bytes ${first}-${last}/${body.length}` }),
  });
  response.end(part);
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Code of the S3 error; undefined if the AWS Signature Version 4 is valid. */
function verifySignature({ method = '', url = '', headers }: IncomingMessage): string | undefined {
  const [, id, scope = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=(\w+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (id !== accessKey) return 'InvalidAccessKeyId';
  const time = String(headers['x-amz-date']);
  const sent = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(Date.now() - sent) < maxClockSkewMs)) return 'RequestTimeTooSkewed';
  if (scope !== `${time.slice(0, 8)}/${region}/s3/aws4_request`) return 'AuthorizationHeaderMalformed';
  const [path = '', query = ''] = url.split('?');
  const canonical = [
    method,
    path,
    query.split('&').sort().join('&'),
    ...names.split(';').map((name) => `${name}:${headers[name]}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const key = scope
    .split('/')
    .reduce<Buffer | string>((signing, part) => mac(signing, part), `AWS4${secretKey}`);
  const expected = mac(key, ['AWS4-HMAC-SHA256', time, scope, hash(canonical)].join('\n'));
  const isSigned = ['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) =>
    names.split(';').includes(name),
  );
  return isSigned && timingSafeEqual(expected, Buffer.from(signature, 'hex'))
    ? undefined
    : 'SignatureDoesNotMatch';
}
