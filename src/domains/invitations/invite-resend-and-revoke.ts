/** Creates, resends and revokes invitations. The lock on the staff of the business serialises them with each other and with acceptance. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { classifyDbError, type QueryHandle } from '../../db/index.ts';
import { notFoundError, unauthenticatedError, validationError } from '../../errors.ts';
import { runIdempotent } from '../../idempotency.ts';
import { randomLinkToken, sha256Hex } from '../../lib/hash-encrypt-and-random-tokens.ts';
import { isId, newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { loadShopBrand } from '../branding/find-and-update-branding.ts';
import { findRoleOfBusiness, lockBusinessStaff } from '../businesses/staff/manage-roles.ts';
import { queueMail } from '../shared/queue-mail.ts';
import { buildOneTimeTokenLink } from '../users/messages/account-mail-links.ts';
import { loadUserAndApiKeyNames } from '../users/people/user-and-api-key-names.ts';
import { accountRateLimitRules, enforceRateLimits } from '../users/rate-limits.ts';
import { buildInvitationMail } from './build-invitation-mail.ts';
import { type Invitation, invitationLifetimeSeconds, invitationSelection } from './model.ts';
import type { inviteMemberSchema } from './schemas.ts';

interface InvitationRef {
  businessId: string;
  id: string;
}

/** The response is the same whether or not an account has the address. */
export async function inviteMember(
  ctx: Context,
  { businessId, input }: z.output<typeof inviteMemberSchema>,
): Promise<Invitation> {
  const { email, roleId } = input;
  await enforceInvitationLimits(ctx, businessId, email);
  try {
    return await runIdempotent(ctx, 'inviteMember', { businessId, input }, (queries) =>
      queries.transaction(async (tx) => {
        await lockBusinessStaff(tx, businessId);
        if (!(await findRoleOfBusiness(tx, { businessId, id: roleId }))) throw roleNotFoundError();
        const pending = await tx.prisma.invitation.findFirst({
          where: { businessId, email, state: 'PENDING' },
          select: { id: true },
        });
        return sendInvitation(ctx, tx, { businessId, id: pending?.id ?? newId(), email, roleId });
      }),
    );
  } catch (error) {
    // The role was deleted at the same time.
    throw classifyDbError(error)?.kind === 'foreignKey' ? roleNotFoundError() : error;
  }
}

export const resendInvitation = (ctx: Context, ref: InvitationRef): Promise<Invitation> =>
  runIdempotent(ctx, 'resendInvitation', ref, (queries) =>
    queries.transaction(async (tx) => {
      const { email, roleId } = await lockOpenInvitation(tx, ref);
      await enforceInvitationLimits(ctx, ref.businessId, email);
      return sendInvitation(ctx, tx, { ...ref, email, roleId });
    }),
  );

export async function revokeInvitation(ctx: Context, ref: InvitationRef): Promise<{ id: string }> {
  await ctx.db.transaction(async (tx) => {
    await lockOpenInvitation(tx, ref);
    await tx.prisma.invitation.update({
      where: { id: ref.id },
      data: { state: 'REVOKED', tokenHash: null, updatedAt: now() },
    });
  });
  return { id: ref.id };
}

/** Stores the invitation with a new token and queues its mail. Only the mail contains the token. */
async function sendInvitation(
  ctx: Context,
  tx: QueryHandle,
  { businessId, id, email, roleId }: InvitationRef & { email: string; roleId: string },
): Promise<Invitation> {
  const inviterId = ctx.viewer.user?.userId;
  if (inviterId === undefined) throw unauthenticatedError();
  const time = now();
  const token = randomLinkToken();
  const changes = {
    roleId,
    inviterId,
    tokenHash: sha256Hex(token),
    expiresAt: time + invitationLifetimeSeconds,
    updatedAt: time,
  };
  const invitation = await tx.prisma.invitation.upsert({
    where: { id },
    create: { id, businessId, email, createdAt: time, ...changes },
    update: changes,
    ...invitationSelection,
  });
  const [brand, users] = [
    await loadShopBrand(ctx, tx, businessId),
    await loadUserAndApiKeyNames(tx, [inviterId]),
  ];
  const link = buildOneTimeTokenLink(`${ctx.config.publicUrl}/account`, 'invitation', token);
  const inviterName = users.get(inviterId)?.name ?? '';
  const content = { link, brand, inviterName, roleName: invitation.role.name };
  await queueMail(ctx, tx, buildInvitationMail(email, content));
  return invitation;
}

/** The limit with the fewest keys first: see `enforceRateLimits`. */
const enforceInvitationLimits = (ctx: Context, businessId: string, email: string) =>
  enforceRateLimits(
    ctx,
    [accountRateLimitRules.invitationByInviter, ctx.viewer.user?.userId ?? ''],
    [accountRateLimitRules.invitationByBusiness, businessId],
    [accountRateLimitRules.invitationByRecipient, email],
  );

/** Locks the staff of the business and reads an invitation that was neither accepted nor revoked. */
async function lockOpenInvitation(
  tx: QueryHandle,
  { businessId, id }: InvitationRef,
): Promise<{ email: string; roleId: string }> {
  await lockBusinessStaff(tx, businessId);
  const invitation = isId(id)
    ? await tx.prisma.invitation.findFirst({
        where: { businessId, id },
        select: { email: true, roleId: true, state: true },
      })
    : undefined;
  if (!invitation) throw notFoundError('Invitation');
  if (invitation.state !== 'PENDING')
    throw validationError(
      'id',
      'INVALID_TRANSITION',
      `The invitation is ${invitation.state}. Invite the person again.`,
    );
  return invitation;
}

const roleNotFoundError = () => validationError('roleId', 'ROLE_NOT_FOUND', 'The business has no such role.');
