/** Finds or creates the user of an identity that the identity provider has authenticated. */
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { deleteOneTimeTokens } from '../account/one-time-tokens.ts';
import type { TokenSubject } from '../model.ts';
import { recordSecurityEvent } from '../security-events/security-events.ts';
import { endSessionsInTransaction } from './sessions.ts';

interface AuthenticatedIdentity {
  issuer: string;
  subject: string;
  email: string;
  name: string;
}

const asSubject = { id: true, email: true } as const;

export async function findOrCreateIdentityUser(
  ctx: Context,
  identity: AuthenticatedIdentity,
): Promise<TokenSubject> {
  const { issuer, subject } = identity;
  const user = await ctx.db.transaction(async (tx) => {
    const linked = await tx.prisma.identity.findUnique({
      where: { issuer_subject: { issuer, subject } },
      select: { user: { select: asSubject } },
    });
    if (linked) return linked.user;
    const user = await findOrCreateUserByEmail(tx, identity);
    await resetUnconfirmedAccount(ctx, tx, user.id, identity.name);
    await tx.prisma.identity.createMany({
      data: [{ issuer, subject, userId: user.id, createdAt: now() }],
      skipDuplicates: true,
    });
    await recordSecurityEvent(ctx, tx, {
      type: 'IDENTITY_LINKED',
      userId: user.id,
      detail: { provider: 'OAUTH_IDP' },
    });
    return user;
  });
  await ctx.revocations.refresh();
  return user;
}

/** The unique index on `email` makes two concurrent first sign-ins create one account. */
async function findOrCreateUserByEmail(
  { prisma }: QueryHandle,
  { email, name }: AuthenticatedIdentity,
): Promise<TokenSubject> {
  await prisma.user.createMany({
    data: [{ id: newId(), email, name, isConfirmed: true, createdAt: now(), updatedAt: now() }],
    skipDuplicates: true,
  });
  return prisma.user.findUniqueOrThrow({ where: { email }, select: asSubject });
}

/**
 * Applies to accounts with an unconfirmed address only. The registrant never proved ownership of the address and may have registered it
 * to hijack the account later (pre-hijacking): password, profile, API keys, links and sessions are removed before the owner signs in.
 */
async function resetUnconfirmedAccount(
  ctx: Context,
  tx: QueryHandle,
  userId: string,
  name: string,
): Promise<void> {
  const { count } = await tx.prisma.user.updateMany({
    where: { id: userId, isConfirmed: false },
    data: {
      isConfirmed: true,
      passwordHash: null,
      name,
      phoneNumbers: [],
      verifiedPhones: [],
      addresses: [],
      updatedAt: now(),
      version: { increment: 1 },
    },
  });
  if (count === 0) return;
  await tx.prisma.apiToken.deleteMany({ where: { userId } });
  await deleteOneTimeTokens(tx, userId);
  await endSessionsInTransaction(ctx, tx, { userId });
}
