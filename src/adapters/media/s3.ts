/** Media store in a bucket of Amazon S3 or a compatible service, with path-style URLs. */
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AwsClient } from 'aws4fetch';
import { buildTraceHeaders } from '../../lib/tracing.ts';
import {
  createExactSizeStream,
  type MediaStore,
  requireMediaKey,
  type S3Options,
} from '../../ports/media.ts';

/** Idle timeout: no byte in either direction. */
const idleTimeoutMs = 20_000;

interface S3Request {
  method: 'GET' | 'PUT' | 'DELETE';
  headers?: Record<string, string>;
  body?: readonly [Readable, Transform];
}

export function createS3MediaStore({
  endpoint,
  bucket,
  region,
  accessKey,
  secretKey,
}: S3Options): MediaStore {
  const client = new AwsClient({ accessKeyId: accessKey, secretAccessKey: secretKey, service: 's3', region });
  const bucketUrl = `${endpoint.replace(/\/$/, '')}/${bucket}`;
  const urlOf = (key: string) => `${bucketUrl}/${requireMediaKey(key)}`;

  async function send(url: string, { method, headers = {}, body }: S3Request): Promise<IncomingMessage> {
    const signed = await client.sign(url, { method, headers });
    const request = (url.startsWith('https:') ? tlsRequest : plainRequest)(signed.url, {
      method,
      // Trace headers are not part of the signature.
      headers: { ...Object.fromEntries(signed.headers), ...headers, ...buildTraceHeaders() },
      timeout: idleTimeoutMs,
    });
    request.on('timeout', () => request.destroy(new Error('The media store does not respond.')));
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve).on('error', reject);
    });
    // An error of the body destroys the request, which rejects the pending response.
    if (body) pipeline([...body, request]).catch((error: Error) => request.destroy(error));
    else request.end();
    return response;
  }

  async function listKeys(prefix: string): Promise<string[]> {
    const query = new URLSearchParams({ 'list-type': '2', prefix: `${prefix}/` });
    const text = await requireText(await send(`${bucketUrl}?${query}`, { method: 'GET' }), 'list files');
    return [...text.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = '']) => key);
  }

  return {
    async put(key, body, { size, type }) {
      const headers = { 'content-length': String(size), 'content-type': type };
      const response = await send(urlOf(key), {
        method: 'PUT',
        headers,
        body: [body, createExactSizeStream(size)],
      });
      await requireText(response, 'store a file');
    },
    async get(key, range) {
      const headers = range && { range: `bytes=${range.start}-${range.end}` };
      const response = await send(urlOf(key), { method: 'GET', ...(headers && { headers }) });
      if (response.statusCode === 200 || response.statusCode === 206) return response;
      if (response.statusCode !== 404) await requireText(response, 'read a file');
      response.resume();
      return undefined;
    },
    async removeAll(prefix) {
      requireMediaKey(prefix);
      // A list response has at most 1,000 keys, so it is repeated until it is empty.
      for (let keys = await listKeys(prefix); keys.length > 0; keys = await listKeys(prefix))
        for (const key of keys)
          await requireText(await send(urlOf(key), { method: 'DELETE' }), 'remove a file');
    },
  };
}

/** Body of a successful response; throws an error with the S3 error code otherwise. */
async function requireText(response: IncomingMessage, action: string): Promise<string> {
  const text = (await response.setEncoding('utf8').toArray()).join('');
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return text;
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? '';
  throw new Error(`The media store failed to ${action}: ${status} ${code}`.trimEnd());
}
