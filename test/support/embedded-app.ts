/** An app on a database in memory, for commands that run without vitest. */
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/open.ts';
import { cachedTemplate } from './template.ts';
import { TestApp } from './test-app.ts';

export interface EmbeddedApp {
  t: TestApp;
  close(): Promise<void>;
}

export async function embeddedApp(): Promise<EmbeddedApp> {
  const db = await openDb({ dataDir: 'memory', template: await cachedTemplate() });
  const config = readConfig({
    ALLOWED_ORIGINS: 'http://shop.test',
    PUBLIC_URL: 'http://duet.test',
    RATE_LIMIT: 'off',
  });
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const app = await createApp({ config, db, log });
  return {
    t: new TestApp(app, db, []),
    async close() {
      await app.stop();
      await db.close();
    },
  };
}
