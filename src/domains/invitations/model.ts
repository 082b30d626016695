/** Invitations as the API returns them: with their role and current state, without the hash of their token. */
import type { Prisma } from '../../generated/prisma/client.ts';
import type { InvitationState } from '../../generated/prisma/enums.ts';

export const invitationLifetimeSeconds = 7 * 86_400;

export const invitationSelection = {
  omit: { tokenHash: true },
  include: { role: true },
} as const satisfies Prisma.InvitationDefaultArgs;

export type Invitation = Prisma.InvitationGetPayload<typeof invitationSelection>;

export type CurrentInvitationState = keyof typeof InvitationState | 'EXPIRED';

/** A pending invitation is EXPIRED from `expiresAt` on; the database does not store this state. */
export const currentInvitationState = (
  { state, expiresAt }: Pick<Invitation, 'state' | 'expiresAt'>,
  time: number,
): CurrentInvitationState => (state === 'PENDING' && expiresAt <= time ? 'EXPIRED' : state);
