/** Accepts an invitation with the token of its mail. */
import type { Context } from '../../context.ts';
import type { QueryHandle } from '../../db/index.ts';
import { validationError } from '../../errors.ts';
import { sha256Hex } from '../../lib/hash-encrypt-and-random-tokens.ts';
import { now } from '../../lib/time.ts';
import { loadBusinessMemberIdsWithPermission } from '../businesses/staff/load-member-ids.ts';
import { lockBusinessStaff } from '../businesses/staff/manage-roles.ts';
import { requireOwnAccount } from '../users/account/load-own-account.ts';
import { assignAcceptedRole } from '../users/people/assign-and-remove-roles.ts';
import { type Invitation, invitationSelection } from './model.ts';

/** Pending invitation of a token; undefined when the token is unknown, replaced, used, revoked or expired. */
export async function findInvitationByToken(
  { prisma }: QueryHandle,
  token: string,
): Promise<Invitation | undefined> {
  const invitation = await prisma.invitation.findFirst({
    where: { tokenHash: sha256Hex(token), state: 'PENDING', expiresAt: { gt: now() } },
    ...invitationSelection,
  });
  return invitation ?? undefined;
}

/**
 * The token proves access to the address, but only the account of that address may use it: a forwarded mail must not let another person
 * in. The token confirms no account either, because another person may have registered the address.
 */
export async function acceptInvitation(ctx: Context, { token }: { token: string }): Promise<Invitation> {
  const me = await requireOwnAccount(ctx);
  const invitation = await findInvitationByToken(ctx.db, token);
  if (!invitation) throw invalidTokenError();
  if (!me.isConfirmed || me.email !== invitation.email) throw emailMismatchError();
  const { id, businessId, roleId, inviterId } = invitation;
  return ctx.db.transaction(async (tx) => {
    await lockBusinessStaff(tx, businessId);
    const adminIds = await loadBusinessMemberIdsWithPermission(tx, businessId, 'ADMIN');
    if (!adminIds.includes(inviterId)) throw invalidTokenError();
    // Of two concurrent requests, one matches the token. Role and inviter belong to the token: sending again replaces all three.
    const { count } = await tx.prisma.invitation.updateMany({
      where: { id, tokenHash: sha256Hex(token), state: 'PENDING' },
      data: { state: 'ACCEPTED', tokenHash: null, updatedAt: now() },
    });
    if (count === 0) throw invalidTokenError();
    await assignAcceptedRole(ctx, tx, { businessId, userId: me.id, roleId });
    return tx.prisma.invitation.findUniqueOrThrow({ where: { id }, ...invitationSelection });
  });
}

const invalidTokenError = () =>
  validationError(
    'token',
    'INVALID_TOKEN',
    'This invitation is unknown, was used or revoked, or has expired. Ask for a new one.',
  );

const emailMismatchError = () =>
  validationError(
    'token',
    'EMAIL_MISMATCH',
    'The invitation was sent to another email address. Sign in with the account of that address.',
  );
