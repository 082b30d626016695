/** Which tables are on the home server only, and which are on the server of a business: statements of one must not name the others. */
import { AppError } from '../errors.ts';

/** Accounts, and what belongs to them in all shops. */
export const accountTables: readonly string[] = [
  'api_tokens',
  'erasures',
  'identities',
  'known_places',
  'login_codes',
  'oauth_states',
  'one_time_tokens',
  'phone_codes',
  'revoked_sessions',
  'sessions',
  'users',
];

/** Tables whose rows name a business or none: each server has its own. */
const tablesOfEveryServer: ReadonlySet<string> = new Set([
  'business_placements',
  'cache_purges',
  'changes',
  'idempotency_keys',
  'put_aside',
  'security_events',
]);

const quoted = (name: string) => `"?${name}"?(?!["\\w.])`;

/** Matches a reference to one of the tables: after a keyword, or in a list of tables. */
const buildReferencePattern = (tables: readonly string[]) =>
  new RegExp(
    `(?:\\b(?:from|join|into|update|using)\\s+|,\\s*)(?:only\\s+)?(?:"?public"?\\.)?(?:${tables.map(quoted).join('|')})`,
    'i',
  );

/** Texts of statements are few; those that Prisma builds with lists of parameters are bounded by this. */
const maxCachedTexts = 10_000;

function createTableGuard(tables: readonly string[], createError: () => Error): (text: string) => void {
  const pattern = buildReferencePattern(tables);
  const allowed = new Set<string>();
  return (text) => {
    if (allowed.has(text)) return;
    if (pattern.test(text)) throw createError();
    if (allowed.size > maxCachedTexts) allowed.clear();
    allowed.add(text);
  };
}

export const severalServersError = (message: string) =>
  new AppError('BAD_REQUEST', `${message} The businesses of this gateway are on several database servers.`);

/** For the server of a business that has no accounts: their rows would be missing without an error. `exempt`: statements. */
export function createAccountTableGuard(exempt: ReadonlySet<string>): (text: string) => void {
  const guard = createTableGuard(accountTables, () =>
    severalServersError(
      'This operation needs accounts and a business in one statement, which is not supported.',
    ),
  );
  return (text) => {
    if (!exempt.has(text)) guard(text);
  };
}

/** For requests that name no business: rows of the other servers would be missing without an error. */
export function createBusinessTableGuard(businessTables: readonly string[]): (text: string) => void {
  const tables = businessTables.filter((table) => !tablesOfEveryServer.has(table));
  return createTableGuard(tables, () =>
    severalServersError('This operation reads several businesses at once, which is not supported.'),
  );
}
