/** Files in a bucket of Amazon S3 or anything that speaks its protocol, addressed by path. */
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AwsClient } from 'aws4fetch';
import { traceHeaders } from '../../lib/tracing.ts';
import {
  createExactSizeStream,
  type MediaStore,
  requireMediaKey,
  type S3Options,
} from '../../ports/media.ts';

/** Without a byte in either direction. */
const silenceMs = 20_000;

interface Asked {
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
  const client = new AwsClient({
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    service: 's3',
    region,
  });
  const bucketUrl = `${endpoint.replace(/\/$/, '')}/${bucket}`;
  const urlOf = (key: string) => `${bucketUrl}/${requireMediaKey(key)}`;

  async function ask(url: string, { method, headers = {}, body }: Asked): Promise<IncomingMessage> {
    const signed = await client.sign(url, { method, headers });
    const request = (url.startsWith('https:') ? tlsRequest : plainRequest)(signed.url, {
      method,
      // What is not signed may be added.
      headers: { ...Object.fromEntries(signed.headers), ...headers, ...traceHeaders() },
      timeout: silenceMs,
    });
    request.on('timeout', () => request.destroy(new Error('The store of files does not answer.')));
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve).on('error', reject);
    });
    // A body that breaks off takes the request with it, and that is what `answer` tells.
    if (body) pipeline([...body, request]).catch((error: Error) => request.destroy(error));
    else request.end();
    return answer;
  }

  async function listed(prefix: string): Promise<string[]> {
    const query = new URLSearchParams({ 'list-type': '2', prefix: `${prefix}/` });
    const text = await textOf(await ask(`${bucketUrl}?${query}`, { method: 'GET' }), 'list files');
    return [...text.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = '']) => key);
  }

  return {
    async put(key, body, { size, type }) {
      const headers = { 'content-length': String(size), 'content-type': type };
      const answer = await ask(urlOf(key), {
        method: 'PUT',
        headers,
        body: [body, createExactSizeStream(size)],
      });
      await textOf(answer, 'keep a file');
    },
    async get(key, range) {
      const headers = range && { range: `bytes=${range.start}-${range.end}` };
      const answer = await ask(urlOf(key), { method: 'GET', ...(headers && { headers }) });
      if (answer.statusCode === 200 || answer.statusCode === 206) return answer;
      if (answer.statusCode !== 404) await textOf(answer, 'read a file');
      answer.resume();
      return undefined;
    },
    async removeAll(prefix) {
      requireMediaKey(prefix);
      // One page of the list at a time, until there is nothing left to list.
      for (let keys = await listed(prefix); keys.length > 0; keys = await listed(prefix))
        for (const key of keys) await textOf(await ask(urlOf(key), { method: 'DELETE' }), 'remove a file');
    },
  };
}

/** What the store says, or an error when it says no. */
async function textOf(answer: IncomingMessage, what: string): Promise<string> {
  const text = (await answer.setEncoding('utf8').toArray()).join('');
  const status = answer.statusCode ?? 0;
  if (status >= 200 && status < 300) return text;
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? '';
  throw new Error(`The store of files would not ${what}: ${status} ${code}`.trimEnd());
}
