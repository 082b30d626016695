/** API keys of a user. An update replaces the whole list; an entry with a masked or absent value keeps its stored secret. */
import { allowsPermission } from '../../../auth/permissions-and-default-roles.ts';
import { hashApiKey } from '../../../auth/viewer-and-authentication.ts';
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { type ErrorDetail, forbiddenError, validationError, validationErrorFrom } from '../../../errors.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { loadAllMemberships } from '../../businesses/staff/manage-memberships.ts';
import { queueMail } from '../../shared/queue-mail.ts';
import { buildNewApiKeyMail } from '../messages/build-account-mails.ts';
import type { TokenSubject } from '../model.ts';
import { accountRateLimitRules } from '../rate-limits.ts';
import { recordSecurityEvent } from '../security-events/security-events.ts';
import type { ParsedApiKey } from './update-me-schema.ts';

interface StoredToken {
  id: string;
  name: string;
}

/** Account that owns the keys. */
interface KeyOwner extends TokenSubject {
  isGuest: boolean;
}

/** The caller must hold the row lock of the user. */
export async function replaceApiKeys(
  ctx: Context,
  tx: QueryHandle,
  owner: KeyOwner,
  requestedTokens: readonly ParsedApiKey[],
): Promise<void> {
  // A key outlives the session that created it, and a guest has no credentials to sign in with and revoke it.
  if (owner.isGuest && requestedTokens.length > 0)
    throw forbiddenError('Guests cannot have API keys. Register an account first.');
  const userId = owner.id;
  const storedTokens = await tx.prisma.apiToken.findMany({
    where: { userId },
    select: { id: true, name: true },
  });
  const storedById = new Map(storedTokens.map((token) => [token.id, token]));
  const errors = [
    ...missingValues(requestedTokens, storedById),
    ...(await excessPermissions(tx, userId, requestedTokens)),
  ];
  if (errors.length > 0) throw validationErrorFrom(errors);
  const requestedIds = new Set(requestedTokens.map(({ id }) => id));
  for (const token of storedTokens) {
    if (!requestedIds.has(token.id)) await revokeToken(ctx, tx, userId, token);
  }
  for (const [index, token] of requestedTokens.entries()) {
    const current = token.id === undefined ? undefined : storedById.get(token.id);
    if (token.value !== undefined) {
      if (current) await revokeToken(ctx, tx, userId, current);
      await createToken(ctx, tx, owner, token, token.value, index);
    } else if (current) {
      await tx.prisma.apiToken.update({
        where: { userId_id: { userId, id: current.id } },
        data: { name: token.name || current.name, ...restrictionsOf(token) },
      });
    }
  }
}

export async function revokeApiKeys(ctx: Context, tx: QueryHandle, userId: string): Promise<void> {
  for (const token of await tx.prisma.apiToken.findMany({ where: { userId } }))
    await revokeToken(ctx, tx, userId, token);
}

/** Permissions and expiry in the input; absent ones stay unchanged. */
const restrictionsOf = ({ permissions, expiresAt }: ParsedApiKey) => ({
  ...(permissions ? { restricted: true, permissions } : {}),
  ...(expiresAt === undefined ? {} : { expiresAt }),
});

const missingValues = (
  requestedTokens: readonly ParsedApiKey[],
  storedById: ReadonlyMap<string, StoredToken>,
) =>
  requestedTokens.flatMap(({ id, value }, index): ErrorDetail[] =>
    value !== undefined || (id !== undefined && storedById.has(id))
      ? []
      : [
          {
            field: `apiTokens.${index}.value`,
            error: 'REQUIRED',
            message: 'A new key needs its full value; a masked value is not enough.',
          },
        ],
  );

/** Errors for keys with a permission that none of the user's roles includes, in any business. */
async function excessPermissions(
  tx: QueryHandle,
  userId: string,
  requestedTokens: readonly ParsedApiKey[],
): Promise<ErrorDetail[]> {
  if (requestedTokens.every(({ permissions }) => permissions === undefined)) return [];
  const memberships = await loadAllMemberships(tx, userId);
  const roles = memberships.map(({ role }) => new Set(role.permissions));
  return requestedTokens.flatMap(({ permissions = [] }, index) =>
    permissions.some((name) => !roles.some((heldPermission) => allowsPermission(heldPermission, name)))
      ? [
          {
            field: `apiTokens.${index}.permissions`,
            error: 'PERMISSION_NOT_HELD',
            message: 'A key cannot have a permission that its user does not hold.',
          },
        ]
      : [],
  );
}

async function createToken(
  ctx: Context,
  tx: QueryHandle,
  { id: userId, email }: KeyOwner,
  token: ParsedApiKey,
  value: string,
  index: number,
): Promise<void> {
  const { id = newId(), name } = token;
  const { count } = await tx.prisma.apiToken.createMany({
    data: [
      {
        userId,
        id,
        name,
        hash: hashApiKey(value),
        lastFour: value.slice(-4),
        createdAt: now(),
        ...restrictionsOf(token),
      },
    ],
    skipDuplicates: true,
  });
  if (count === 0) {
    throw validationError(
      `apiTokens.${index}.value`,
      'INVALID_VALUE',
      'This value cannot be used. Generate a random one.',
    );
  }
  await recordSecurityEvent(ctx, tx, { type: 'KEY_CREATED', userId, detail: { keyId: id, keyName: name } });
  if (email === null) return;
  const state = await ctx.limits.consume(accountRateLimitRules.apiKeyMailByAccount, userId);
  if (!state?.exceeded) await queueMail(ctx, tx, buildNewApiKeyMail(ctx.config, email));
}

async function revokeToken(
  ctx: Context,
  tx: QueryHandle,
  userId: string,
  { id, name }: StoredToken,
): Promise<void> {
  await tx.prisma.apiToken.delete({ where: { userId_id: { userId, id } } });
  await recordSecurityEvent(ctx, tx, { type: 'KEY_REVOKED', userId, detail: { keyId: id, keyName: name } });
}
