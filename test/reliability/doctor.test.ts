/** `duet doctor` checks the S3 bucket, the trace collector and the server behind a pooler. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkDirectUrl } from '../../src/cli/doctor/check-direct-url.ts';
import { checkExternalServices } from '../../src/cli/doctor/check-external-services.ts';
import type { DoctorFinding } from '../../src/cli/doctor/create-and-format-findings.ts';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/open-db.ts';
import { testDatabaseUrl } from '../support/database.ts';
import { type S3Server, startS3 } from '../support/s3-server.ts';
import { startRenamingPooler } from '../support/statement-renaming-pooler.ts';

let s3: S3Server;
const collector = createServer((request, response) => {
  request.resume();
  response.writeHead(request.headers.authorization === 'key' ? 200 : 401).end('{}');
});

beforeAll(async () => {
  s3 = await startS3();
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await s3.close();
  collector.close();
});

const findingsOn = (subject: string, findings: readonly DoctorFinding[]) =>
  findings.filter((finding) => finding.subject === subject).map(({ level, message }) => [level, message]);

it('checks the bucket', async () => {
  const checkFiles = async (overrides: object) => {
    const { endpoint, bucket, region, accessKey, secretKey } = { ...s3.options, ...overrides };
    const config = readConfig({
      MEDIA_S3_ENDPOINT: endpoint,
      MEDIA_S3_BUCKET: bucket,
      MEDIA_S3_REGION: region,
      MEDIA_S3_ACCESS_KEY: accessKey,
      MEDIA_S3_SECRET_KEY: secretKey,
    });
    return findingsOn('files', await checkExternalServices(config));
  };
  expect(await checkFiles({})).toEqual([['ok', 'bucket duet-media responds']]);
  for (const [overrides, message] of [
    [{ bucket: 'another' }, '404 NoSuchBucket'],
    [{ secretKey: 'wrong' }, '403 SignatureDoesNotMatch'],
    [{ endpoint: 'http://127.0.0.1:1' }, 'ECONNREFUSED'],
  ] as const)
    expect(await checkFiles(overrides)).toEqual([['error', expect.stringContaining(message)]]);
  expect(findingsOn('files', await checkExternalServices(readConfig({})))).toEqual([]);
});

it('checks the trace collector', async () => {
  const checkTraces = async (headers: string, port = (collector.address() as AddressInfo).port) => {
    const endpoint = `http://127.0.0.1:${port}`;
    const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers });
    return findingsOn('traces', await checkExternalServices(config));
  };
  expect(await checkTraces('authorization=key')).toEqual([['ok', 'the collector accepts them']]);
  expect(await checkTraces('authorization=no')).toEqual([
    ['error', expect.stringContaining('responded with 401')],
  ]);
  expect(await checkTraces('authorization=key', 1)).toEqual([
    ['error', expect.stringContaining('OTEL_EXPORTER')],
  ]);
});

it('checks the server behind a pooler', async () => {
  const server = await testDatabaseUrl();
  const pooler = await startRenamingPooler(server);
  const db = await openDb({ url: pooler.url, directUrl: server });
  const checkDirect = async (DATABASE_DIRECT_URL: string) =>
    findingsOn(
      'direct',
      await checkDirectUrl(readConfig({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL }), db),
    );
  expect(await checkDirect(server)).toEqual([['ok', 'the server behind the pooler responds']]);
  expect(await checkDirect('postgresql://duet@127.0.0.1:1/none')).toEqual([
    ['error', expect.stringContaining('no server there accepts writes')],
  ]);
  await db.close();
  pooler.stop();
});
