/** Viewer of a request: authentication by access token or API key, and lookup of permissions. */
import { readOncePerTick } from '../db/batching/index.ts';
import { accountsOf, businessServersOf, type Db, type QueryHandle } from '../db/handles.ts';
import { buildBusinessIsHereSql } from '../db/write-fences.ts';
import { unauthenticatedError } from '../errors.ts';
import { sha256Hex } from '../lib/hash-encrypt-and-random-tokens.ts';
import { now } from '../lib/time.ts';
import { allowsPermission, type Permission, permissions } from './permissions-and-default-roles.ts';
import type { RevokedSessionCache } from './revoked-session-cache.ts';
import { type AuthProvider, type JwtService, sessionIdOfClaims } from './sign-and-verify-tokens.ts';

export interface AuthenticatedUser {
  readonly userId: string;
  readonly provider: AuthProvider;
  readonly isGuest: boolean;
  /** Session of the access token; undefined with an API key. */
  readonly sessionId?: string | undefined;
  /** Id of the API key; undefined with an access token. */
  readonly keyId?: string | undefined;
  /** Permissions of a restricted API key; undefined when the key or token has all permissions of its user. */
  readonly keyPermissions?: ReadonlySet<Permission> | undefined;
}

/** SQL condition on `users u`: the user exists and the session of the token was not revoked. Pass a null session for API keys. */
const buildSignedInConditionSql = (user: string, session: string) =>
  `u.id = ${user} and (${session}::uuid is null or exists (select 1 from sessions s where s.id = ${session} and s.user_id = u.id))`;

export class Viewer {
  readonly user: AuthenticatedUser | undefined;
  /** Whether an anonymous viewer sent a token or key that is not valid. */
  readonly hasRejectedCredentials: boolean;
  #db: Db;
  #permissions: Promise<ReadonlyMap<string, ReadonlySet<string>>> | undefined;

  constructor(db: Db, user: AuthenticatedUser | undefined, sentCredentials = false) {
    this.#db = db;
    this.user = user;
    this.hasRejectedCredentials = sentCredentials && user === undefined;
  }

  /** Permissions per business, loaded by one query on first use. Throws UNAUTHENTICATED when the user was deleted or signed out. */
  permissionsByBusiness(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    this.#permissions ??= this.#loadPermissions();
    return this.#permissions;
  }

  async hasPermission(permission: Permission, businessId: string): Promise<boolean> {
    return allowsPermission((await this.permissionsByBusiness()).get(businessId), permission);
  }

  /**
   * The user whose own account, orders and carts the viewer may access. Undefined for a restricted API key: it acts for businesses
   * and has no access to the personal data of its owner. All checks of personal access use this property.
   */
  get accountUser(): AuthenticatedUser | undefined {
    return this.user?.keyPermissions ? undefined : this.user;
  }

  /** API keys belong to integrations, which may set timestamps and users in status histories; people may not. */
  get isApiKey(): boolean {
    return this.user?.provider === 'API';
  }

  /**
   * User id for the parameter `user` of `buildPermissionConditionSql`. Null for guests and anonymous viewers, who have no permissions, and
   * for a restricted API key without this permission.
   */
  userIdForPermissionSql(permission: Permission): string | null {
    if (!this.user || this.user.isGuest) return null;
    const { keyPermissions } = this.user;
    return !keyPermissions || allowsPermission(keyPermissions, permission) ? this.user.userId : null;
  }

  /** Throws UNAUTHENTICATED when the user was deleted or signed out. For long-lived operations such as subscriptions. */
  async assertSignedIn(): Promise<void> {
    if (!this.user) throw unauthenticatedError();
    if (!this.user.isGuest) return void (await this.permissionsByBusiness());
    const { userId, sessionId } = this.user;
    const rows = await accountsOf(this.#db).sql(signedInStatement, [userId, sessionId ?? null]);
    if (rows.length === 0) throw unauthenticatedError();
  }

  /** Several servers: whether the viewer has a role in a business of another server. */
  async hasRoleOnOtherServers(): Promise<boolean> {
    const { otherServers } = this.#db;
    if (!otherServers || !this.user || this.user.isGuest) return false;
    const { userId } = this.user;
    const found = await Promise.all(
      otherServers.businesses.map((server) =>
        server.sql('select 1 from memberships where user_id = $1 limit 1', [userId]),
      ),
    );
    return found.flat().length > 0;
  }

  /** The same viewer with the permissions in the businesses of another server. */
  onServer(db: Db): Viewer {
    return new Viewer(db, this.user, this.hasRejectedCredentials);
  }

  async #loadPermissions() {
    if (!this.user || this.user.isGuest) return new Map<string, ReadonlySet<string>>();
    const params = [this.user.userId, this.user.sessionId ?? null];
    const rows = await (this.#db.otherServers
      ? loadPermissionsOfServers(this.#db, params)
      : readOncePerTick<PermissionsRow>(this.#db, permissionsStatement, params));
    if (rows.length === 0) throw unauthenticatedError();
    return new Map(
      rows.flatMap(({ business_id, permissions }) =>
        business_id === null ? [] : [[business_id, this.#restrictToKey(new Set(permissions))] as const],
      ),
    );
  }

  /** Intersection of the permissions of the user and of the API key. */
  #restrictToKey(permissionsOfUser: ReadonlySet<string>): ReadonlySet<string> {
    const { keyPermissions } = this.user ?? {};
    return keyPermissions
      ? new Set(
          permissions.filter(
            (name) => allowsPermission(keyPermissions, name) && allowsPermission(permissionsOfUser, name),
          ),
        )
      : permissionsOfUser;
  }
}

interface PermissionsRow {
  business_id: string | null;
  permissions: string[];
}

const signedInStatement = `select 1 from users u where ${buildSignedInConditionSql('$1', '$2')}`;

/** Several servers: accounts are on the home server, and memberships with their business. */
async function loadPermissionsOfServers(db: Db, params: readonly unknown[]): Promise<PermissionsRow[]> {
  const [userId] = params;
  // Requests that name no business have no server of their own.
  const isOnAllServers = db.otherServers?.hasOwnBusinesses === false;
  const [servers, statement] = isOnAllServers
    ? [businessServersOf(db), membershipsHereStatement]
    : [[db], membershipsStatement];
  const [signedIn, ...memberships] = await Promise.all([
    accountsOf(db).sql(signedInStatement, params),
    ...servers.map((server: QueryHandle) => server.sql<PermissionsRow>(statement, [userId])),
  ]);
  // Like the left join of the single statement: a row without a business for a user without a role.
  return signedIn.length === 0 ? [] : [{ business_id: null, permissions: [] }, ...memberships.flat()];
}

const membershipsStatement =
  'select m.business_id, r.permissions from memberships m join roles r on r.id = m.role_id where m.user_id = $1';

/** For all servers, of which two have the rows of a business that is being moved. */
const membershipsHereStatement = `${membershipsStatement} and ${buildBusinessIsHereSql('m.business_id')}`;

const permissionsStatement = `select m.business_id, r.permissions from users u
  left join memberships m on m.user_id = u.id left join roles r on r.id = m.role_id
  where ${buildSignedInConditionSql('$1', '$2')}`;

export const hashApiKey = sha256Hex;

interface CredentialHeaders {
  authorization: string | undefined;
  apiKey: string | undefined;
}

interface Authentication {
  db: Db;
  tokens: JwtService;
  revocations: Pick<RevokedSessionCache, 'revokedAt'>;
}

/** Token or API key of an `Authorization: Bearer` header. PERF: the regular expression tests only the scheme, because tokens are long and every request has one. */
export function parseBearerToken(authorization: string | undefined): string | undefined {
  if (!authorization || !/^bearer /i.test(authorization)) return undefined;
  const bearer = authorization.slice('bearer '.length).trimStart();
  return bearer === '' || bearer.includes(' ') ? undefined : bearer;
}

/**
 * Authenticates every request, REST and GraphQL. Invalid and revoked credentials yield an anonymous viewer; operations that require
 * a user then fail with UNAUTHENTICATED.
 */
export async function authenticateOrAnonymous(
  { db, tokens, revocations }: Authentication,
  { authorization, apiKey }: CredentialHeaders,
): Promise<Viewer> {
  const bearer = parseBearerToken(authorization);
  const claims = bearer?.includes('.') ? await tokens.verifyAccess(bearer) : undefined;
  if (claims) {
    const sessionId = sessionIdOfClaims(claims);
    if (sessionId !== undefined && revocations.revokedAt.has(sessionId))
      return new Viewer(db, undefined, true);
    const { sub: userId, provider } = claims;
    return new Viewer(db, { userId, provider, isGuest: provider === 'GUEST', sessionId });
  }
  const key = apiKey ?? bearer;
  return new Viewer(
    db,
    key ? await findApiKeyUser(db, key) : undefined,
    (authorization ?? key) !== undefined,
  );
}

export interface ApiKeyRow {
  id: string;
  user_id: string;
  restricted: boolean;
  permissions: Permission[];
  last_used_at: number | null;
}

/** `last_used_at` is updated at most once in this time, so that most requests write nothing. */
const lastUsedPrecisionSeconds = 60;

async function findApiKeyUser(db: Db, value: string): Promise<AuthenticatedUser | undefined> {
  const hash = hashApiKey(value);
  const time = now();
  const accounts = accountsOf(db);
  const [row] = await accounts.sql<ApiKeyRow>(
    `select id, user_id, restricted, permissions, last_used_at from api_tokens
     where hash = $1 and (expires_at is null or expires_at > $2)`,
    [hash, time],
  );
  if (!row) return undefined;
  if ((row.last_used_at ?? 0) < time - lastUsedPrecisionSeconds)
    await accounts.write('update api_tokens set last_used_at = $2 where hash = $1', [hash, time]);
  return toApiKeyUser(row);
}

export const toApiKeyUser = ({
  id,
  user_id,
  restricted,
  permissions: keyPermissions,
}: ApiKeyRow): AuthenticatedUser => ({
  userId: user_id,
  provider: 'API',
  isGuest: false,
  keyId: id,
  keyPermissions: restricted ? new Set(keyPermissions) : undefined,
});
