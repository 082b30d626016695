/** GraphQL types of people. */
import type { Permission } from '../../auth/permissions.ts';
import { forbiddenError } from '../../errors.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType, listCost, pageArgs } from '../../graphql/schema/connection.ts';
import { NodeInterface, Timestamped, Versioned } from '../../graphql/schema/interfaces.ts';
import { createPayloadType } from '../../graphql/schema/type-helpers.ts';
import { parseInput } from '../../lib/validation/input.ts';
import { listBusinesses } from '../businesses/businesses.ts';
import type { Membership } from '../businesses/staff/memberships.ts';
import { BusinessConnection, BusinessType, PermissionEnum, RoleType } from '../businesses/types.ts';
import { listOwnSecurityEvents } from './audit/security-events.ts';
import { SecurityEventConnection } from './audit/types.ts';
import type { BusinessUserConfig, ProfileAddress, User } from './model.ts';
import { accountPageSchema } from './people/schemas.ts';
import type { BusinessMember } from './people/search-users.ts';
import { maskApiKey } from './rules.ts';
import { AuthProviderEnum } from './sign-in/types.ts';

const AddressType = builder.objectRef<ProfileAddress>('Address').implement({
  description: 'A postal address.',
  fields: (t) => ({
    id: t.exposeString('id', { nullable: true, description: 'Id, to choose it by at checkout.' }),
    name: t.exposeString('name', { nullable: true, description: 'Who it is for.' }),
    company: t.exposeString('company', {
      nullable: true,
      description: 'The firm it goes to, if it goes to one.',
    }),
    street: t.exposeString('street', { nullable: true, description: 'Street and number.' }),
    line2: t.exposeString('line2', { nullable: true, description: 'Floor, flat, building.' }),
    city: t.exposeString('city', { nullable: true, description: 'Town or city.' }),
    state: t.exposeString('state', { nullable: true, description: 'State or region.' }),
    zip: t.exposeString('zip', { nullable: true, description: 'Postal code.' }),
    country: t.exposeString('country', {
      nullable: true,
      description: 'As it was written; checkout wants an ISO 3166-1 code.',
    }),
    phone: t.exposeString('phone', { nullable: true, description: 'A number for whoever delivers.' }),
  }),
});

const ApiTokenType = builder.prismaObject('ApiToken', {
  description: 'A key for server-to-server access, acting with its user’s permissions.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id, unique among the user’s keys.' }),
    name: t.exposeString('name', { description: 'What the key is for.' }),
    value: t.string({
      description: 'The masked value: only its last four characters were kept.',
      resolve: (token) => maskApiKey(token.lastFour),
    }),
    provider: t.expose('provider', { type: AuthProviderEnum, description: 'Always API.' }),
    permissions: t.field({
      type: [PermissionEnum],
      nullable: true,
      description: 'All that it allows, at most; absent when it allows whatever its user may do.',
      resolve: (token) => (token.restricted ? (token.permissions as Permission[]) : null),
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'Not valid from here on; absent when it does not expire.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When it was last used, to the minute.',
    }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was created.' }),
  }),
});

const BusinessUserConfigType = builder.objectRef<BusinessUserConfig>('BusinessUserConfig').implement({
  description: 'A user’s own settings for one business.',
  fields: (t) => ({
    businessId: t.exposeID('businessId', { description: 'The business.' }),
    settings: t.expose('settings', { type: 'JSON', description: 'Whatever the frontend keeps there.' }),
  }),
});

const LifecycleType = builder.objectRef<User>('UserLifecycle').implement({
  description: 'Where a user stands with their account.',
  fields: (t) => ({
    lastLoginAt: t.expose('lastLoginAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When they last signed in.',
    }),
    onboardingCompleted: t.exposeBoolean('onboardingCompleted', {
      description: 'Whether they finished the introduction.',
    }),
  }),
});

const MembershipType = builder.objectRef<Membership>('Membership').implement({
  description: 'A role that somebody holds in a business.',
  fields: (t) => ({
    business: t.field({
      type: BusinessType,
      description: 'Where they are a member.',
      resolve: ({ business }) => business,
    }),
    role: t.field({ type: RoleType, description: 'What they may do there.', resolve: ({ role }) => role }),
    since: t.expose('since', { type: 'Timestamp', description: 'When they joined.' }),
  }),
});

export const UserType = builder.objectRef<User>('User').implement({
  interfaces: [NodeInterface, Timestamped, Versioned],
  description: 'A person, or a guest.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the user.' }),
    name: t.exposeString('name', { description: 'Full name.' }),
    email: t.exposeString('email', { nullable: true, description: 'Email address; guests have none.' }),
    isConfirmed: t.exposeBoolean('isConfirmed', { description: 'Whether the email address is confirmed.' }),
    isGuest: t.exposeBoolean('isGuest', { description: 'Whether this is a guest.' }),
    phoneNumbers: t.exposeStringList('phoneNumbers', { description: 'In international form.' }),
    verifiedPhoneNumbers: t.exposeStringList('verifiedPhones', {
      description: 'Those that were confirmed with a code.',
    }),
    addresses: t.expose('addresses', { type: [AddressType], description: 'Postal addresses.' }),
    roleIds: t.idList({
      description: 'Ids of the roles.',
      resolve: ({ memberships }) => memberships.map(({ role }) => role.id),
    }),
    roles: t.field({
      type: [RoleType],
      description: 'The roles they hold; others see only those of businesses they administer.',
      resolve: ({ memberships }) => memberships.map(({ role }) => role),
    }),
    memberships: t.expose('memberships', {
      type: [MembershipType],
      description: 'The same roles, each with its business.',
    }),
    apiTokens: t.expose('apiTokens', {
      type: [ApiTokenType],
      description: 'API keys, masked. Only the user themselves sees any.',
    }),
    businessUserConfigs: t.expose('businessUserConfigs', {
      type: [BusinessUserConfigType],
      description: 'Settings per business.',
    }),
    lifecycle: t.field({
      type: LifecycleType,
      description: 'Where they stand with their account.',
      resolve: (user) => user,
    }),
    businesses: t.field({
      type: BusinessConnection,
      nullable: true,
      description: 'The businesses they work for, newest first. Only the user themselves may read it.',
      complexity: listCost,
      args: pageArgs,
      resolve: (user, args, ctx) => {
        if (!user.isSelf) throw forbiddenError();
        return listBusinesses(ctx, parseInput(accountPageSchema, args));
      },
    }),
    securityEvents: t.field({
      type: SecurityEventConnection,
      description: 'The audit trail of the account, newest first. Only the user themselves may read it.',
      complexity: listCost,
      args: pageArgs,
      resolve: (user, args, ctx) => listOwnSecurityEvents(ctx, user, parseInput(accountPageSchema, args)),
    }),
    version: t.exposeInt('version', {
      description: 'Grows with every change; send it back to guard an update.',
    }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When the account was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'Timestamp', description: 'When it was last changed.' }),
  }),
});

export const UserConnection = createConnectionType<User>('User', UserType);

const MemberType = builder.objectRef<BusinessMember>('Member').implement({
  description: 'Somebody who works for a business.',
  fields: (t) => ({
    user: t.field({ type: UserType, description: 'The person.', resolve: ({ user }) => user }),
    role: t.field({
      type: RoleType,
      description: 'Their role in the business.',
      resolve: (member) => membershipOf(member).role,
    }),
    since: t.field({
      type: 'Timestamp',
      description: 'When they joined.',
      resolve: (member) => membershipOf(member).since,
    }),
  }),
});

function membershipOf({ user, businessId }: BusinessMember): Membership {
  const membership = user.memberships.find(({ business }) => business.id === businessId);
  if (!membership) throw new Error('A member without a membership.');
  return membership;
}

export const MemberConnection = createConnectionType<BusinessMember>('Member', MemberType);

export const UserPayload = createPayloadType('UserPayload', 'user', UserType);

export const SuccessPayload = builder.objectRef<{ success: true }>('SuccessPayload').implement({
  description: 'The answer of an action that has nothing to show.',
  fields: (t) => ({
    success: t.exposeBoolean('success', { description: 'Always true: failures are errors.' }),
  }),
});
