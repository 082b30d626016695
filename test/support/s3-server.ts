/** S3-compatible server (s3rver) with one bucket. s3rver does not verify signatures, so this file does. */
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import S3rver from 's3rver';
import type { S3Options } from '../../src/ports/media.ts';

export interface S3Server {
  options: S3Options;
  close(): Promise<void>;
}

/** Access key and secret key of s3rver. */
const secret = 'S3RVER';

export async function startS3(directory: string): Promise<S3Server> {
  await mkdir(directory, { recursive: true });
  const bucket = 'duet-media';
  const s3 = new S3rver({ directory, silent: true, configureBuckets: [{ name: bucket, configs: [] }] });
  await s3.configureBuckets();
  const handle = s3.callback();
  const server = createServer((req, res) => {
    if (isSignatureValid(req)) return handle(req, res);
    req.resume();
    res.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    options: {
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      bucket,
      region: 'us-east-1',
      accessKey: secret,
      secretKey: secret,
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Verifies AWS Signature Version 4. */
function isSignatureValid({ method = '', url = '', headers }: IncomingMessage): boolean {
  const [, scope = '', names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=S3RVER\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    ) ?? [];
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
  const [date = '', ...scopeParts] = scope.split('/');
  const key = scopeParts.reduce<Buffer>(
    (signingKey, part) => mac(signingKey, part),
    mac(`AWS4${secret}`, date),
  );
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(canonical)].join('\n');
  return names.split(';').includes('host') && mac(key, text).toString('hex') === signature;
}
