/** `duet seed`: creates the demo business, optionally with a large catalogue. */
import { createMediaStore } from '../../adapters/media/create-media-store.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { seedDemo } from '../../seed/demo.ts';
import { seedGeneratedCatalogue } from '../../seed/generated-catalogue.ts';
import { demoShopIdsAndLogins } from '../../seed/shop-data.ts';
import { createDatabaseCommand, UsageError } from '../command-types-and-usage-error.ts';
import { migrateDatabase } from '../open-and-migrate-databases.ts';
import { parseCommandArgs } from '../parse-command-args.ts';

function parseSeedArgs(args: readonly string[]): { count: number; json: boolean } {
  const { values } = parseCommandArgs(args, {
    products: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
  });
  const count = Number(values.products);
  if (!Number.isInteger(count) || count < 0) throw new UsageError('--products must be a whole number.');
  return { count, json: values.json };
}

export const seedCommand = createDatabaseCommand(
  parseSeedArgs,
  async ({ config, db, write, progress }, { count, json }) => {
    if (!config.sandbox)
      throw new OperatorError(
        'NODE_ENV=production: the demo business is not created, because the password of its admin is public.',
      );
    await migrateDatabase(db);
    const mediaStore = () => createMediaStore(config.media);
    const created = await seedDemo(db, config.publicUrl, mediaStore, config.secretsKeys);
    if (!json) write(created ? 'Created the demo business.\n' : 'The demo business already exists.\n');
    if (count > 0)
      await seedGeneratedCatalogue(db, demoShopIdsAndLogins.businessId, count, (done) =>
        progress?.(progressBar(done, count)),
      );
    if (json)
      write(
        `${JSON.stringify({ businessId: demoShopIdsAndLogins.businessId, created, addedProducts: count })}\n`,
      );
    else if (count > 0) write(`Added ${count} products to the demo business.\n`);
  },
);

function progressBar(done: number, total: number): string {
  const width = 30;
  const filled = Math.round((done / total) * width);
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done}/${total}`;
}
