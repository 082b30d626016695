/** Loads the viewer of a user, session or API key for work that continues after its request, with their current permissions. */
import { accountsOf, type Db } from '../db/handles.ts';
import { AppError } from '../errors.ts';
import { now } from '../lib/time.ts';
import { allowsPermission, type Permission } from './permissions-and-default-roles.ts';
import { type ApiKeyRow, type AuthenticatedUser, toApiKeyUser, Viewer } from './viewer-and-authentication.ts';

export type ViewerIdentity = Pick<AuthenticatedUser, 'userId' | 'keyId' | 'sessionId'>;

/** Viewer for work that continues after its request, such as jobs. With a `sessionId` it is signed in as long as the session. Has the current permissions of the user and API key, not those at the time of the request. */
export async function loadViewerOfIdentity(
  db: Db,
  { userId, keyId, sessionId }: ViewerIdentity,
): Promise<Viewer> {
  if (keyId === undefined) return new Viewer(db, { userId, provider: 'EMAIL', isGuest: false, sessionId });
  const [row] = await accountsOf(db).sql<ApiKeyRow>(
    `select id, user_id, restricted, permissions, last_used_at from api_tokens
     where id = $1 and user_id = $2 and (expires_at is null or expires_at > $3)`,
    [keyId, userId, now()],
  );
  return new Viewer(db, row && toApiKeyUser(row));
}

/** Whether the issuer of a link or form still has one of the permissions. False when the role, session, API key or account was removed since. */
export async function identityStillHasAnyPermission(
  db: Db,
  identity: ViewerIdentity,
  anyOf: readonly Permission[],
  businessId: string,
): Promise<boolean> {
  const viewer = await loadViewerOfIdentity(db, identity);
  try {
    const granted = (await viewer.permissionsByBusiness()).get(businessId);
    return anyOf.some((permission) => allowsPermission(granted, permission));
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNAUTHENTICATED') return false;
    throw error;
  }
}
