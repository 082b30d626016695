/** `npm run bench:paging`: a page at depth 50,000 of 100,000 products takes at most 1.3 times as long as the first page. */

import { loadGatewayKeys } from '../src/auth/gateway-keys.ts';
import { createJwtService } from '../src/auth/sign-and-verify-tokens.ts';
import { migrate } from '../src/db/migrations/apply-and-list-migrations.ts';
import { openDb } from '../src/db/open-db.ts';
import { createCursorCodec } from '../src/lib/paging.ts';
import { seedDemo } from '../src/seed/demo.ts';
import { seedGeneratedCatalogue } from '../src/seed/generated-catalogue.ts';
import { buildSeedId, demoShopIdsAndLogins } from '../src/seed/shop-data.ts';
import { httpRequest, load, median } from './load.ts';
import { duetProgram, startPostgres, startServer } from './servers.ts';

const total = 100_000;
const depth = 50_000;
const maxRatio = 1.3;

const postgres = await startPostgres();
const db = await openDb({ url: postgres.url });
await migrate(db);
await seedDemo(db);
await seedGeneratedCatalogue(db, demoShopIdsAndLogins.businessId, total, (done) =>
  process.stdout.write(`\rseeding ${done}/${total}`),
);
await db.script('vacuum analyze');
const keys = await loadGatewayKeys(db, undefined);
const { token } = await createJwtService(keys).issueAccess({
  sub: demoShopIdsAndLogins.adminId,
  provider: 'EMAIL',
});
await db.close();

const duet = await startServer(
  duetProgram,
  { DATABASE_URL: postgres.url, LOG_LEVEL: 'warn', SEED_DEMO: 'off', RATE_LIMIT: 'off' },
  'Duet',
);
const ratios: number[] = [];
try {
  const page = (cursor: string) =>
    httpRequest('GET', `/v1/businesses/${demoShopIdsAndLogins.businessId}/products?limit=20${cursor}`, {
      authorization: `Bearer ${token}`,
    });
  const deepCursor = createCursorCodec(keys.secret, `products:${demoShopIdsAndLogins.businessId}`).encode(
    buildSeedId(0x100, total - depth),
  );
  const requests = [page(''), page(`&cursor=${deepCursor}`)];
  const rate = async (request: string) => {
    const slice = await load({ port: duet.port, request: () => request }, 8, 1000);
    if (slice.errors > 0) throw new Error(`${slice.errors} requests failed.`);
    return slice.requests / slice.seconds;
  };
  for (const request of requests) await rate(request);
  for (let round = 0; round < 5; round += 1) {
    const [first, deep] = [await rate(requests[0] ?? ''), await rate(requests[1] ?? '')];
    ratios.push(first / deep);
  }
} finally {
  await duet.stop();
  await postgres.stop();
}
const ratio = median(ratios);
console.log(
  `\na page at depth ${depth} of ${total} takes ${ratio.toFixed(2)} times as long as the first page (limit ${maxRatio})`,
);
process.exitCode = ratio <= maxRatio ? 0 : 1;
