/** Databases that are audited for consistency after every test. */
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { createSandboxPaymentProvider } from '../../src/adapters/payments/sandbox.ts';
import { openDb } from '../../src/db/open-db.ts';
import type { OpenDbOptions } from '../../src/db/open-options.ts';
import { expectConsistentRecords } from './consistency-audit.ts';
import { testDatabaseUrl, testDataDir } from './database.ts';

const auditedDatabases: OpenDbOptions[] = [];

// Registered at module level: vitest ignores hooks that are added while a test runs.
afterEach(async () => {
  for (const options of auditedDatabases) await expectConsistentDatabase(options);
}, 60_000);

/** Like `testDatabaseUrl`, for gateways that use the sandbox payment provider. */
export async function auditedDatabaseUrl(options: { migrated?: boolean } = {}): Promise<string> {
  const url = await testDatabaseUrl(options);
  auditedDatabases.push({ url, poolSize: 2 });
  return url;
}

/** Like `testDataDir`. The gateway must have stopped when its test ends, because the audit opens the directory. */
export async function auditedDataDir(): Promise<string> {
  const dataDir = await testDataDir();
  auditedDatabases.push({ dataDir: join(dataDir, 'db') });
  return dataDir;
}

export async function expectConsistentDatabase(options: OpenDbOptions): Promise<void> {
  const db = await openDb(options);
  try {
    const payments = createSandboxPaymentProvider({
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
