/** Starts the gateway: configuration, database, app, socket; and stops it without losing a request. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createApp } from './app.ts';
import { banner } from './banner.ts';
import { ConfigError, readConfig } from './config.ts';
import { migrate } from './db/migrate.ts';
import { openDb } from './db/open.ts';
import { createHttpServer } from './http/server.ts';
import { packageRoot } from './lib/package-root.ts';
import { createLog } from './log.ts';
import { seedDemo } from './seed/demo.ts';

/** A request that takes longer than this does not hold up a stop. */
const stopWithinMs = 10_000;

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel, process.stdout.isTTY);
  const template = join(packageRoot, 'dist', 'template.tar');
  const db = await openDb({
    url: config.databaseUrl,
    dataDir: join(config.dataDir, 'db'),
    template: existsSync(template) ? template : undefined,
    poolSize: config.databasePool,
    cacheBytes: config.cacheBytes,
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
    onLongRead: (statement, ms) => log.warn({ statement, ms: Math.round(ms) }, 'a short read took long'),
  });
  const applied = await migrate(db);
  if (applied.length > 0) log.info({ applied }, 'migrations applied');
  const seeded = config.seedDemo && (await seedDemo(db));
  if (seeded) log.info('demo data created');

  const app = await createApp({ config, db, log });
  const server = createHttpServer(app.dispatch);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, resolve);
  });
  console.log(banner(config));
  await app.start();

  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    app.startStopping();
    server.close(async () => {
      await app.stop();
      await db.close();
      process.exit(0);
    });
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), stopWithinMs).unref();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

start().catch((error: unknown) => {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
});
