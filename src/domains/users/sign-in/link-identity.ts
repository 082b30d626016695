/** Finds or makes the account of somebody that the identity provider vouches for. */
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { deleteOneTimeTokens } from '../account/one-time-tokens.ts';
import { recordSecurityEvent } from '../audit/security-events.ts';
import type { TokenSubject } from '../model.ts';
import { endSessionsInTransaction } from './sessions.ts';

interface Vouched {
  issuer: string;
  subject: string;
  email: string;
  name: string;
}

const asSubject = { id: true, email: true } as const;

export async function findOrCreateIdentityUser(ctx: Context, vouched: Vouched): Promise<TokenSubject> {
  const { issuer, subject } = vouched;
  const person = await ctx.db.transaction(async (tx) => {
    const known = await tx.prisma.identity.findUnique({
      where: { issuer_subject: { issuer, subject } },
      select: { user: { select: asSubject } },
    });
    if (known) return known.user;
    const user = await userByEmail(tx, vouched);
    await takeOver(ctx, tx, user.id, vouched.name);
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
  return person;
}

/** Makes the account if there is none; the unique key decides between two first sign-ins at once. */
async function userByEmail({ prisma }: Queries, { email, name }: Vouched): Promise<TokenSubject> {
  await prisma.user.createMany({
    data: [{ id: newId(), email, name, isConfirmed: true, createdAt: now(), updatedAt: now() }],
    skipDuplicates: true,
  });
  return prisma.user.findUniqueOrThrow({ where: { email }, select: asSubject });
}

/**
 * Only of an account whose address was never confirmed. Whoever registered it never proved that the address is theirs,
 * and may be somebody who lies in wait: their password, name and links are dropped before the real owner moves in.
 */
async function takeOver(ctx: Context, tx: Queries, userId: string, name: string): Promise<void> {
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
