/** `duet seed`: the demo business in any database, with a large catalogue if asked for. */
import { parseArgs } from 'node:util';
import { createMedia } from '../adapters/media/index.ts';
import { seedCatalogue } from '../seed/catalogue.ts';
import { demo } from '../seed/data.ts';
import { seedDemo } from '../seed/demo.ts';
import { type DatabaseCommand, UsageError } from './command.ts';
import { bringUpToDate } from './open-database.ts';

export const seed: DatabaseCommand = async ({ config, db, write }, args) => {
  const { values } = parseArgs({ args: [...args], options: { products: { type: 'string', default: '0' } } });
  const count = Number(values.products);
  if (!Number.isInteger(count) || count < 0) throw new UsageError('--products takes a number.');
  await bringUpToDate(db);
  write(
    (await seedDemo(db, config.publicUrl, () => createMedia(config.media), config.secretsKeys))
      ? 'Created the demo business.\n'
      : 'The demo business is there already.\n',
  );
  if (count === 0) return;
  await seedCatalogue(db, demo.businessId, count, (done) => write(`\r${progress(done, count)}`));
  write(`\nAdded ${count} products to the demo business.\n`);
};

function progress(done: number, total: number): string {
  const width = 30;
  const filled = Math.round((done / total) * width);
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done}/${total}`;
}
