/** Invitations of an email address in the personal data export, and their deletion with the account. */
import type { Context } from '../../context.ts';
import { businessServersOf, mergeRowsOfServers, type QueryHandle } from '../../db/index.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { registerAccountDeletionHook } from '../shared/personal-data/account-deletion-hook-registry.ts';
import {
  maxPersonalDataItems,
  PersonalDataGraphqlType,
  type PersonalDataOwner,
} from '../shared/personal-data/personal-data-graphql-type.ts';
import { type Invitation, invitationSelection } from './model.ts';
import { InvitationGraphqlType } from './types.ts';

const loadInvitationsOf = async (ctx: Context, { email }: PersonalDataOwner): Promise<Invitation[]> =>
  email === undefined
    ? []
    : [
        ...(await mergeRowsOfServers<QueryHandle, Invitation>(
          businessServersOf(ctx.db),
          { key: 'id', descending: true, limit: maxPersonalDataItems },
          ({ prisma }) =>
            prisma.invitation.findMany({
              where: { email },
              orderBy: { id: 'desc' },
              take: maxPersonalDataItems,
              ...invitationSelection,
            }),
        )),
      ];

builder.objectField(PersonalDataGraphqlType, 'invitations', (t) =>
  t.field({
    type: [InvitationGraphqlType],
    description: 'Invitations to the confirmed email address, across all businesses, newest first.',
    // Lower than other lists: an address has few invitations, because they are deleted after 37 days.
    complexity: { field: 1, multiplier: 10 },
    resolve: (owner, _args, ctx) => loadInvitationsOf(ctx, owner),
  }),
);

registerAccountDeletionHook(async (_services, { prisma }, { contacts }) => {
  await prisma.invitation.deleteMany({ where: { email: { in: [...contacts] } } });
});
