/** Databases whose books are looked at after every test, whatever the processes of that test did to them. */
import { afterEach } from 'vitest';
import { createSandboxPayments } from '../../src/adapters/payments/sandbox.ts';
import { openDb } from '../../src/db/open.ts';
import { expectBalance } from './audit.ts';
import { testDatabaseUrl } from './database.ts';

const audited: string[] = [];

// Registered here because a hook that is added while a test runs is never called.
afterEach(async () => {
  for (const url of audited) await expectBalanceAt(url);
}, 60_000);

/** The same as `testDatabaseUrl`, for processes that are paid in the sandbox. */
export async function auditedDatabaseUrl(options: { migrated?: boolean } = {}): Promise<string> {
  const url = await testDatabaseUrl(options);
  audited.push(url);
  return url;
}

async function expectBalanceAt(url: string): Promise<void> {
  const db = await openDb({ url, poolSize: 2 });
  try {
    const payments = createSandboxPayments({
      db,
      secret: new Uint8Array(),
      publicUrl: '',
      announce: async () => {},
    });
    await expectBalance({ db, payments });
  } finally {
    await db.close();
  }
}
