/** API keys: the list that is sent is the whole list, and a value that was masked stands for the one it hides. */
import { allowsPermission } from '../../../auth/permissions.ts';
import { hashApiKey } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { type ErrorDetail, forbiddenError, validationError } from '../../../errors.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { loadMemberships } from '../../businesses/staff/memberships.ts';
import { queueMail } from '../../shared/queue-mail.ts';
import { recordSecurityEvent } from '../audit/security-events.ts';
import { buildNewApiKeyMail } from '../messages/mails.ts';
import type { TokenSubject } from '../model.ts';
import type { ParsedApiToken } from './schemas.ts';

interface Stored {
  id: string;
  name: string;
}

/** The account that the keys belong to. */
interface Owner extends TokenSubject {
  isGuest: boolean;
}

/** Call under the lock of the user's row. */
export async function replaceApiTokens(
  ctx: Context,
  tx: Queries,
  owner: Owner,
  wanted: readonly ParsedApiToken[],
): Promise<void> {
  // A key outlives the session that made it, and a guest has nothing else to prove who they are.
  if (owner.isGuest && wanted.length > 0)
    throw forbiddenError('Guests cannot have API keys: register first.');
  const userId = owner.id;
  const stored = await tx.prisma.apiToken.findMany({ where: { userId }, select: { id: true, name: true } });
  const known = new Map(stored.map((token) => [token.id, token]));
  refuseFaults([...missingValues(wanted, known), ...(await excessPermissions(tx, userId, wanted))]);
  const kept = new Set(wanted.map(({ id }) => id));
  for (const token of stored) {
    if (!kept.has(token.id)) await revoke(ctx, tx, userId, token);
  }
  for (const [index, token] of wanted.entries()) {
    const current = token.id === undefined ? undefined : known.get(token.id);
    if (token.value !== undefined) {
      if (current) await revoke(ctx, tx, userId, current);
      await create(ctx, tx, owner, token, token.value, index);
    } else if (current) {
      await tx.prisma.apiToken.update({
        where: { userId_id: { userId, id: current.id } },
        data: { name: token.name || current.name, ...limitsOf(token) },
      });
    }
  }
}

export async function revokeApiTokens(ctx: Context, tx: Queries, userId: string): Promise<void> {
  for (const token of await tx.prisma.apiToken.findMany({ where: { userId } }))
    await revoke(ctx, tx, userId, token);
}

/** What was sent of a key's limits; what was not stays as it is. */
const limitsOf = ({ permissions, expiresAt }: ParsedApiToken) => ({
  ...(permissions ? { restricted: true, permissions } : {}),
  ...(expiresAt === undefined ? {} : { expiresAt }),
});

const missingValues = (wanted: readonly ParsedApiToken[], known: ReadonlyMap<string, Stored>) =>
  wanted.flatMap(({ id, value }, index): ErrorDetail[] =>
    value !== undefined || (id !== undefined && known.has(id))
      ? []
      : [
          {
            field: `apiTokens.${index}.value`,
            error: 'REQUIRED',
            message: 'A new key needs its value; a masked one is not a value.',
          },
        ],
  );

/** A key allows a part of what its user may do, in whichever of their businesses. */
async function excessPermissions(
  tx: Queries,
  userId: string,
  wanted: readonly ParsedApiToken[],
): Promise<ErrorDetail[]> {
  if (wanted.every(({ permissions }) => permissions === undefined)) return [];
  const memberships = (await loadMemberships(tx, [userId])).get(userId) ?? [];
  const roles = memberships.map(({ role }) => new Set(role.permissions));
  return wanted.flatMap(({ permissions = [] }, index) =>
    permissions.some((name) => !roles.some((held) => allowsPermission(held, name)))
      ? [
          {
            field: `apiTokens.${index}.permissions`,
            error: 'PERMISSION_NOT_HELD',
            message: 'A key cannot allow what its user may not do.',
          },
        ]
      : [],
  );
}

function refuseFaults(faults: readonly ErrorDetail[]): void {
  if (faults.length > 0) throw validationError(...faults);
}

async function create(
  ctx: Context,
  tx: Queries,
  { id: userId, email }: Owner,
  token: ParsedApiToken,
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
        ...limitsOf(token),
      },
    ],
    skipDuplicates: true,
  });
  if (count === 0) {
    throw validationError({
      field: `apiTokens.${index}.value`,
      error: 'INVALID_VALUE',
      message: 'This value cannot be used: choose a random one.',
    });
  }
  await recordSecurityEvent(ctx, tx, { type: 'KEY_CREATED', userId, detail: { keyId: id, keyName: name } });
  if (email !== null) await queueMail(ctx, tx, buildNewApiKeyMail(ctx.config, email));
}

async function revoke(ctx: Context, tx: Queries, userId: string, { id, name }: Stored): Promise<void> {
  await tx.prisma.apiToken.delete({ where: { userId_id: { userId, id } } });
  await recordSecurityEvent(ctx, tx, { type: 'KEY_REVOKED', userId, detail: { keyId: id, keyName: name } });
}
