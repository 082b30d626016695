/** `npm run keys:rotate`: a new signing key; `-- --revoke` also refuses everything the old ones signed. */
import { parseArgs } from 'node:util';
import { rotateKeys } from '../src/auth/keys.ts';
import { readConfig } from '../src/config.ts';
import { migrate } from '../src/db/migrate.ts';
import { openDb } from '../src/db/open.ts';

const { values } = parseArgs({ options: { revoke: { type: 'boolean', default: false } } });

const config = readConfig(process.env);
if (config.signingKey !== undefined) {
  throw new Error(
    'SIGNING_KEY is set: put the new key first in it and keep the old one behind, as a JWK set.',
  );
}
const db = await openDb({ url: config.databaseUrl, dataDir: `${config.dataDir}/db` });
try {
  await migrate(db);
  const kid = await rotateKeys(db, values);
  console.log(`New tokens are signed with ${kid}. Running processes notice within a minute.`);
} finally {
  await db.close();
}
