/** Databases whose books are looked at after every test, whatever the processes of that test did to them. */
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { createSandboxPayments } from '../../src/adapters/payments/sandbox.ts';
import { type OpenDbOptions, openDb } from '../../src/db/open.ts';
import { expectConsistentRecords } from './consistency-audit.ts';
import { testDatabaseUrl, testDataDir } from './database.ts';

const audited: OpenDbOptions[] = [];

// Registered here because a hook that is added while a test runs is never called.
afterEach(async () => {
  for (const place of audited) await expectBalanceAt(place);
}, 60_000);

/** The same as `testDatabaseUrl`, for processes that are paid in the sandbox. */
export async function auditedDatabaseUrl(options: { migrated?: boolean } = {}): Promise<string> {
  const url = await testDatabaseUrl(options);
  audited.push({ url, poolSize: 2 });
  return url;
}

/** The same as `testDataDir`, for processes that have ended when their test does. */
export async function auditedDataDir(): Promise<string> {
  const dataDir = await testDataDir();
  audited.push({ dataDir: join(dataDir, 'db') });
  return dataDir;
}

async function expectBalanceAt(place: OpenDbOptions): Promise<void> {
  const db = await openDb(place);
  try {
    const payments = createSandboxPayments({
      db,
      secret: new Uint8Array(),
      publicUrl: '',
      enqueueEvent: async () => {},
    });
    await expectConsistentRecords({ db, payments });
  } finally {
    await db.close();
  }
}
