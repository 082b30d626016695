/** Who is asking: resolved once per request from a bearer token or an API key. */

import { readOncePerTick } from '../db/batching/tick-batching.ts';
import type { Db } from '../db/handles.ts';
import { AppError, unauthenticatedError } from '../errors.ts';
import { digest } from '../lib/crypto.ts';
import { now } from '../lib/time.ts';
import { allowsPermission, type Permission, permissions } from './permissions.ts';
import type { RevokedSessions } from './revoked-sessions.ts';
import { type AuthProvider, readSessionId, type Tokens } from './tokens.ts';

export interface AuthenticatedUser {
  readonly userId: string;
  readonly provider: AuthProvider;
  readonly isGuest: boolean;
  /** The session the access token belongs to; API keys have none. */
  readonly sessionId?: string | undefined;
  /** Id of the API key, when one was used. */
  readonly keyId?: string | undefined;
  /** All that an API key allows, when it allows less than its user may do. */
  readonly keyPermissions?: ReadonlySet<Permission> | undefined;
}

/** True for the row of user `u` while they exist and the session of their token was not revoked. */
export const isSignedInSql = (user: string, session: string) =>
  `u.id = ${user} and (${session}::uuid is null or exists (select 1 from sessions s where s.id = ${session} and s.user_id = u.id))`;

export class Viewer {
  readonly user: AuthenticatedUser | undefined;
  #db: Db;
  #held: Promise<ReadonlyMap<string, ReadonlySet<string>>> | undefined;

  constructor(db: Db, user: AuthenticatedUser | undefined) {
    this.#db = db;
    this.user = user;
  }

  /** Permissions per business, loaded by one query on first use. Throws for users who were deleted or signed out. */
  permissionsByBusiness(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    this.#held ??= this.#load();
    return this.#held;
  }

  async hasPermission(permission: Permission, businessId: string): Promise<boolean> {
    return allowsPermission((await this.permissionsByBusiness()).get(businessId), permission);
  }

  /**
   * The one place that decides whether the viewer acts as somebody with an account, orders and carts of their own. An API key that is
   * limited to some permissions does not: it works for businesses, and what its owner has for themself is none of its business.
   */
  get accountUser(): AuthenticatedUser | undefined {
    return this.user?.keyPermissions ? undefined : this.user;
  }

  /** API keys belong to systems, which may set times and users that people may not. */
  get isApiKey(): boolean {
    return this.user?.provider === 'API';
  }

  /** Throws for users who were deleted or signed out. For what stays open long, such as subscriptions. */
  async assertSignedIn(): Promise<void> {
    if (!this.user) throw unauthenticatedError();
    if (!this.user.isGuest) return void (await this.permissionsByBusiness());
    const rows = await this.#db.sql(`select 1 from users u where ${isSignedInSql('$1', '$2')}`, [
      this.user.userId,
      this.user.sessionId ?? null,
    ]);
    if (rows.length === 0) throw unauthenticatedError();
  }

  async #load() {
    if (!this.user || this.user.isGuest) return new Map<string, ReadonlySet<string>>();
    const rows = await readOncePerTick<{ business_id: string | null; permissions: string[] }>(
      this.#db,
      heldStatement,
      [this.user.userId, this.user.sessionId ?? null],
    );
    if (rows.length === 0) throw unauthenticatedError();
    return new Map(
      rows.flatMap(({ business_id, permissions }) =>
        business_id === null ? [] : [[business_id, this.#within(new Set(permissions))] as const],
      ),
    );
  }

  /** Of what the user holds, what the key they use allows. */
  #within(held: ReadonlySet<string>): ReadonlySet<string> {
    const { keyPermissions: limitedTo } = this.user ?? {};
    return limitedTo
      ? new Set(
          permissions.filter((name) => allowsPermission(limitedTo, name) && allowsPermission(held, name)),
        )
      : held;
  }
}

const heldStatement = `select m.business_id, r.permissions from users u
  left join memberships m on m.user_id = u.id left join roles r on r.id = m.role_id
  where ${isSignedInSql('$1', '$2')}`;

export const hashApiKey = digest;

export interface Credentials {
  authorization: string | undefined;
  apiKey: string | undefined;
}

interface Authentication {
  db: Db;
  tokens: Tokens;
  revocations: Pick<RevokedSessions, 'has'>;
}

/** The token or key in the header. It is not read letter by letter: tokens are long, and come with every request. */
export function parseBearerToken(authorization: string | undefined): string | undefined {
  if (!authorization || !/^bearer /i.test(authorization)) return undefined;
  const bearer = authorization.slice('bearer '.length).trimStart();
  return bearer === '' || bearer.includes(' ') ? undefined : bearer;
}

/**
 * The one place that decides who the viewer still is, for every operation of both voices. Bad credentials, and those that
 * were revoked, make an anonymous viewer: what needs a signature then says UNAUTHENTICATED.
 */
export async function authenticate(
  { db, tokens, revocations }: Authentication,
  { authorization, apiKey }: Credentials,
): Promise<Viewer> {
  const bearer = parseBearerToken(authorization);
  const claims = bearer?.includes('.') ? await tokens.verifyAccess(bearer) : undefined;
  if (claims) {
    const sessionId = readSessionId(claims);
    if (sessionId !== undefined && revocations.has(sessionId)) return new Viewer(db, undefined);
    const { sub: userId, provider } = claims;
    return new Viewer(db, { userId, provider, isGuest: provider === 'GUEST', sessionId });
  }
  const key = apiKey ?? bearer;
  return new Viewer(db, key ? await userOfApiKey(db, key) : undefined);
}

interface KeyRow {
  id: string;
  user_id: string;
  restricted: boolean;
  permissions: Permission[];
  last_used_at: number | null;
}

/** The last use of a key is told to the minute, so that most requests write nothing. */
const usedEverySeconds = 60;

async function userOfApiKey(db: Db, value: string): Promise<AuthenticatedUser | undefined> {
  const hash = hashApiKey(value);
  const time = now();
  const [row] = await db.sql<KeyRow>(
    `select id, user_id, restricted, permissions, last_used_at from api_tokens
     where hash = $1 and (expires_at is null or expires_at > $2)`,
    [hash, time],
  );
  if (!row) return undefined;
  if ((row.last_used_at ?? 0) < time - usedEverySeconds)
    await db.sql('update api_tokens set last_used_at = $2 where hash = $1', [hash, time]);
  return holderOf(row);
}

const holderOf = ({ id, user_id, restricted, permissions: allowed }: KeyRow): AuthenticatedUser => ({
  userId: user_id,
  provider: 'API',
  isGuest: false,
  keyId: id,
  keyPermissions: restricted ? new Set(allowed) : undefined,
});

export type ViewerIdentity = Pick<AuthenticatedUser, 'userId' | 'keyId'>;

/** Who asked for what goes on after the request: they, and the key they used, may do what they may by now. */
export async function restoreViewer(db: Db, { userId, keyId }: ViewerIdentity): Promise<Viewer> {
  if (keyId === undefined) return new Viewer(db, { userId, provider: 'EMAIL', isGuest: false });
  const [row] = await db.sql<KeyRow>(
    `select id, user_id, restricted, permissions, last_used_at from api_tokens
     where id = $1 and user_id = $2 and (expires_at is null or expires_at > $3)`,
    [keyId, userId, now()],
  );
  return new Viewer(db, row && holderOf(row));
}

/** A link or form is no way around a role, key or account that was taken away: whether who asked for it may still do one of these. */
export async function stillHasPermission(
  db: Db,
  asker: ViewerIdentity,
  oneOf: readonly Permission[],
  businessId: string,
): Promise<boolean> {
  const viewer = await restoreViewer(db, asker);
  try {
    const held = (await viewer.permissionsByBusiness()).get(businessId);
    return oneOf.some((permission) => allowsPermission(held, permission));
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNAUTHENTICATED') return false;
    throw error;
  }
}
