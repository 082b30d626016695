/** GraphQL types of users, memberships and members. */
import type { Permission } from '../../auth/permissions-and-default-roles.ts';
import { forbiddenError } from '../../errors.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType, estimateListCost, pageArgs } from '../../graphql/schema/connection-types.ts';
import { outputFields, prismaFields } from '../../graphql/schema/field-tables.ts';
import {
  NodeGraphqlInterface,
  TimestampedGraphqlInterface,
  VersionedGraphqlInterface,
} from '../../graphql/schema/node-timestamped-and-versioned-interfaces.ts';
import { createPayloadType } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { parseInput } from '../../lib/validation/input.ts';
import { listOwnBusinesses } from '../businesses/manage-businesses.ts';
import type { BusinessMembership } from '../businesses/staff/manage-memberships.ts';
import {
  BusinessConnection,
  BusinessGraphqlType,
  PermissionEnum,
  RoleGraphqlType,
} from '../businesses/types.ts';
import { formatMaskedApiKey } from './email-phone-and-password-rules.ts';
import type { BusinessUserConfig, ProfileAddress, User } from './model.ts';
import { paginationOnlyArgsSchema } from './people/schemas.ts';
import type { BusinessMember } from './people/search-users.ts';
import { listOwnSecurityEvents } from './security-events/security-events.ts';
import { SecurityEventConnection } from './security-events/types.ts';
import { AuthProviderEnum } from './sign-in/types.ts';

const AddressGraphqlType = builder.objectRef<ProfileAddress>('Address').implement({
  description: 'A postal address.',
  fields: outputFields((t) => ({
    key: t.exposeString('id', {
      nullable: true,
      description: 'Key of the address within the account, for selecting it at checkout.',
    }),
    name: ['String', 'Recipient.'],
    company: ['String', 'Company of the recipient.'],
    street: ['String', 'Street and number.'],
    line2: ['String', 'Floor, apartment, building.'],
    city: ['String', 'Town or city.'],
    state: ['String', 'State or region.'],
    zip: ['String', 'Postal code.'],
    country: ['String', 'Country as the user entered it; checkout requires an ISO 3166-1 code.'],
    phone: ['String', 'Phone number for the carrier.'],
  })),
});

const ApiTokenGraphqlType = builder.prismaObject('ApiToken', {
  description: 'API key for server-to-server access with the permissions of its user.',
  fields: prismaFields('ApiToken', (t) => ({
    key: t.exposeID('id', { description: 'Key of the API key within the account; `keyId` elsewhere.' }),
    name: ['String!', 'Name or purpose of the key.'],
    value: t.string({
      description: 'Masked secret: only the last four characters are stored in clear text.',
      resolve: (token) => formatMaskedApiKey(token.lastFour),
    }),
    provider: t.expose('provider', { type: AuthProviderEnum, description: 'Always API.' }),
    permissions: t.field({
      type: [PermissionEnum],
      nullable: true,
      description: 'Permissions of the key; null when it has all permissions of its user.',
      resolve: (token) => (token.restricted ? (token.permissions as Permission[]) : null),
    }),
    expiresAt: ['Timestamp', 'Expiry time; null when the key does not expire.'],
    lastUsedAt: ['Timestamp', 'Time of the last use, precise to the minute; null when never used.'],
    createdAt: ['Timestamp!', 'Creation time.'],
  })),
});

const BusinessUserConfigGraphqlType = builder.objectRef<BusinessUserConfig>('BusinessUserConfig').implement({
  description: 'Settings of a user for one business.',
  fields: outputFields({
    businessId: ['ID!', 'The business.'],
    settings: ['JSON!', 'JSON object defined by the client.'],
  }),
});

const LifecycleGraphqlType = builder.objectRef<User>('UserLifecycle').implement({
  description: 'Lifecycle of a user account.',
  fields: outputFields({
    lastLoginAt: [
      'Timestamp',
      'Time of the last sign-in; null when there was none, or when the viewer may not see it.',
    ],
    onboardingCompleted: ['Boolean!', 'Whether the user has completed the onboarding.'],
  }),
});

const MembershipGraphqlType = builder.objectRef<BusinessMembership>('Membership').implement({
  description: 'Role of a user in a business.',
  fields: outputFields((t) => ({
    business: t.field({
      type: BusinessGraphqlType,
      description: 'Business of the role.',
      resolve: ({ business }) => business,
    }),
    role: t.field({
      type: RoleGraphqlType,
      description: 'Role with its permissions.',
      resolve: ({ role }) => role,
    }),
    since: ['Timestamp!', 'Time at which the user became a member.'],
  })),
});

export const UserGraphqlType = builder.objectRef<User>('User').implement({
  interfaces: [NodeGraphqlInterface, TimestampedGraphqlInterface, VersionedGraphqlInterface],
  description: 'Registered user or guest.',
  fields: outputFields((t) => ({
    id: ['ID!', 'Id of the user.'],
    name: ['String!', 'Full name.'],
    email: ['String', 'Email address; null for guests.'],
    isConfirmed: ['Boolean!', 'Whether the email address is confirmed.'],
    isGuest: ['Boolean!', 'Whether the user is a guest.'],
    phoneNumbers: ['[String!]!', 'Numbers in international form.'],
    verifiedPhoneNumbers: t.exposeStringList('verifiedPhones', {
      description: 'Numbers that were confirmed with a code.',
    }),
    addresses: t.expose('addresses', { type: [AddressGraphqlType], description: 'Postal addresses.' }),
    roleIds: t.idList({
      description: 'Ids of the roles.',
      resolve: ({ memberships }) => memberships.map(({ role }) => role.id),
    }),
    roles: t.field({
      type: [RoleGraphqlType],
      description: 'Roles of the user. Other viewers see only those in businesses that they administer.',
      resolve: ({ memberships }) => memberships.map(({ role }) => role),
    }),
    memberships: t.expose('memberships', {
      type: [MembershipGraphqlType],
      description: 'Same roles, each with its business.',
    }),
    apiTokens: t.expose('apiTokens', {
      type: [ApiTokenGraphqlType],
      description: 'API keys with masked values; empty for other viewers.',
    }),
    businessUserConfigs: t.expose('businessUserConfigs', {
      type: [BusinessUserConfigGraphqlType],
      description: 'Settings per business.',
    }),
    lifecycle: t.field({
      type: LifecycleGraphqlType,
      description: 'Last sign-in and onboarding state.',
      resolve: (user) => user,
    }),
    businesses: t.field({
      type: BusinessConnection,
      nullable: true,
      description: 'Businesses of which the user is a member, newest first. FORBIDDEN for other viewers.',
      complexity: estimateListCost,
      args: pageArgs,
      resolve: (user, args, ctx) => {
        if (!user.isSelf) throw forbiddenError();
        return listOwnBusinesses(ctx, parseInput(paginationOnlyArgsSchema, args));
      },
    }),
    securityEvents: t.field({
      type: SecurityEventConnection,
      description: 'Audit log of the account, newest first. FORBIDDEN for other viewers.',
      complexity: estimateListCost,
      args: pageArgs,
      resolve: (user, args, ctx) =>
        listOwnSecurityEvents(ctx, user, parseInput(paginationOnlyArgsSchema, args)),
    }),
  })),
});

export const UserConnection = createConnectionType('User', UserGraphqlType);

const MemberGraphqlType = builder.objectRef<BusinessMember>('Member').implement({
  description: 'Member of the staff of a business.',
  fields: (t) => ({
    user: t.field({ type: UserGraphqlType, description: 'The staff member.', resolve: ({ user }) => user }),
    role: t.field({
      type: RoleGraphqlType,
      description: 'Role in the business.',
      resolve: (member) => membershipOf(member).role,
    }),
    since: t.field({
      type: 'Timestamp',
      description: 'Time at which the user became a member.',
      resolve: (member) => membershipOf(member).since,
    }),
  }),
});

function membershipOf({ user, businessId }: BusinessMember): BusinessMembership {
  const membership = user.memberships.find(({ business }) => business.id === businessId);
  if (!membership) throw new Error('User has no membership in the business of the member list.');
  return membership;
}

export const BusinessMemberConnection = createConnectionType('Member', MemberGraphqlType);

export const UserPayload = createPayloadType('UserPayload', 'user', UserGraphqlType);

export const SuccessPayload = builder.objectRef<{ success: true }>('SuccessPayload').implement({
  description: 'Response of a mutation without a result.',
  fields: outputFields({ success: ['Boolean!', 'Always true; failures are reported as errors.'] }),
});
