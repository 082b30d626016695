/** GraphQL types of invitations. */
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection-types.ts';
import { outputFields } from '../../graphql/schema/field-tables.ts';
import { TimestampedGraphqlInterface } from '../../graphql/schema/node-timestamped-and-versioned-interfaces.ts';
import { createPayloadType, describedEnumValues } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { now } from '../../lib/time.ts';
import { RoleGraphqlType } from '../businesses/types.ts';
import { type CurrentInvitationState, currentInvitationState, type Invitation } from './model.ts';

const InvitationStateEnum = builder.enumType('InvitationState', {
  description: 'Progress of an invitation from the mail to the membership.',
  values: describedEnumValues<CurrentInvitationState>({
    PENDING: 'The mail was sent; the invitation can be accepted until `expiresAt`.',
    ACCEPTED: 'The invited user has become a member.',
    REVOKED: 'An ADMIN has withdrawn the invitation.',
    EXPIRED: 'The invitation was not accepted in time. It can be resent.',
  }),
});

export const InvitationGraphqlType = builder.objectRef<Invitation>('Invitation').implement({
  interfaces: [TimestampedGraphqlInterface],
  description: 'Invitation by mail to become a member of a business.',
  fields: outputFields((t) => ({
    id: ['ID!', 'Id of the invitation.'],
    businessId: ['ID!', 'The business.'],
    email: ['String!', 'Invited address, in lower case.'],
    role: t.field({
      type: RoleGraphqlType,
      description: 'Role that the new member gets.',
      resolve: ({ role }) => role,
    }),
    inviterId: ['ID!', 'User who sent the newest mail.'],
    state: t.field({
      type: InvitationStateEnum,
      description: 'Current state.',
      resolve: (invitation) => currentInvitationState(invitation, now()),
    }),
    expiresAt: ['Timestamp!', 'Seven days after the newest mail.'],
  })),
});

export const InvitationConnection = createConnectionType('Invitation', InvitationGraphqlType);

export const InvitationPayload = createPayloadType('InvitationPayload', 'invitation', InvitationGraphqlType);
