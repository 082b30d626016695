/** `npm run seed`: the demo business in any database; `-- --products 100000` adds a large catalogue. */
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.ts';
import { migrate } from '../src/db/migrate.ts';
import { openDb } from '../src/db/open.ts';
import { seedCatalogue } from '../src/seed/catalogue.ts';
import { demo } from '../src/seed/data.ts';
import { seedDemo } from '../src/seed/demo.ts';

const { values } = parseArgs({ options: { products: { type: 'string' } } });
const count = Number(values.products ?? 0);
if (!Number.isInteger(count) || count < 0) throw new Error('--products takes a number.');

const config = readConfig(process.env);
const db = await openDb({ url: config.databaseUrl, dataDir: `${config.dataDir}/db` });
try {
  await migrate(db);
  console.log((await seedDemo(db)) ? 'Created the demo business.' : 'The demo business is there already.');
  if (count > 0) {
    await seedCatalogue(db, demo.businessId, count, (done) => showProgress(done, count));
    console.log(`\nAdded ${count} products to the demo business.`);
  }
} finally {
  await db.close();
}

function showProgress(done: number, total: number) {
  const width = 30;
  const filled = Math.round((done / total) * width);
  process.stdout.write(`\r${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done}/${total}`);
}
