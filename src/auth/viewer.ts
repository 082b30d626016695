/** Who is asking: resolved once per request from a bearer token or an API key. */
import { createHash } from 'node:crypto';
import type { Db } from '../db/sql.ts';
import { allows, type Permission } from './permissions.ts';
import type { Provider, Tokens } from './tokens.ts';

export interface SignedIn {
  readonly userId: string;
  readonly provider: Provider;
  readonly isGuest: boolean;
}

export class Viewer {
  readonly user: SignedIn | undefined;
  #db: Db;
  #held: Promise<ReadonlyMap<string, ReadonlySet<string>>> | undefined;

  constructor(db: Db, user: SignedIn | undefined) {
    this.#db = db;
    this.user = user;
  }

  /** Permissions per business, loaded by one query, the first time somebody asks. */
  held(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    this.#held ??= this.#load();
    return this.#held;
  }

  async can(permission: Permission, businessId: string): Promise<boolean> {
    return allows((await this.held()).get(businessId), permission);
  }

  /** API keys speak for a system that keeps its own clock and users. */
  get isApiKey(): boolean {
    return this.user?.provider === 'API';
  }

  async #load() {
    if (!this.user || this.user.isGuest) return new Map<string, ReadonlySet<string>>();
    const rows = await this.#db.sql<{ business_id: string; permissions: string[] }>(
      `select m.business_id, r.permissions from memberships m join roles r on r.id = m.role_id where m.user_id = $1`,
      [this.user.userId],
    );
    return new Map(rows.map((row) => [row.business_id, new Set(row.permissions)]));
  }
}

export const hashApiKey = (value: string): string => createHash('sha256').update(value).digest('hex');

export interface Credentials {
  authorization: string | undefined;
  apiKey: string | undefined;
}

/** Bad credentials make an anonymous viewer: what needs a signature then says UNAUTHENTICATED. */
export async function authenticate(
  db: Db,
  tokens: Tokens,
  { authorization, apiKey }: Credentials,
): Promise<Viewer> {
  const bearer = authorization?.match(/^bearer +(\S+)$/i)?.[1];
  if (bearer?.split('.').length === 3) {
    const claims = await tokens.verifyAccess(bearer);
    if (claims) {
      return new Viewer(db, {
        userId: claims.sub,
        provider: claims.provider,
        isGuest: claims.provider === 'GUEST',
      });
    }
  }
  const key = apiKey ?? bearer;
  return new Viewer(db, key ? await userOfApiKey(db, key) : undefined);
}

async function userOfApiKey(db: Db, value: string): Promise<SignedIn | undefined> {
  const [row] = await db.sql<{ user_id: string }>('select user_id from api_tokens where hash = $1', [
    hashApiKey(value),
  ]);
  return row && { userId: row.user_id, provider: 'API', isGuest: false };
}
