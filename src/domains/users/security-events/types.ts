/** GraphQL types of security events. */
import { authProviders } from '../../../auth/sign-and-verify-tokens.ts';
import type { SecurityEventType as eventTypes } from '../../../generated/prisma/enums.ts';
import { builder } from '../../../graphql/schema/builder.ts';
import { createConnectionType } from '../../../graphql/schema/connection-types.ts';
import { prismaFields } from '../../../graphql/schema/field-tables.ts';
import { describedEnumValues } from '../../../graphql/schema/payload-and-enum-helpers.ts';
import { AuthProviderEnum } from '../sign-in/types.ts';
import type { SecurityEventDetail } from './security-events.ts';

const SecurityEventTypeEnum = builder.enumType('SecurityEventType', {
  description: 'Kind of security event.',
  values: describedEnumValues<keyof typeof eventTypes>({
    REGISTERED: 'The account was created.',
    EMAIL_CONFIRMED: 'The email address was confirmed with the mailed link.',
    PHONE_CONFIRMED: 'A phone number was confirmed with the code sent by SMS.',
    SIGNED_IN: 'A session was opened.',
    SIGN_IN_FAILED: 'A sign-in was rejected because of a wrong password.',
    SIGNED_OUT: 'A session was ended.',
    PASSWORD_CHANGED: 'The password was changed with the old one; all other sessions were ended.',
    PASSWORD_RESET: 'The password was reset with a mailed link; all sessions were ended.',
    IDENTITY_LINKED: 'An account at the identity provider was linked and can sign in.',
    KEY_CREATED: 'An API key was created.',
    KEY_REVOKED: 'An API key was revoked.',
    ROLE_CHANGED: 'The role of the user in a business was assigned, replaced or removed.',
  }),
});

export const SecurityEventGraphqlType = builder.prismaObject('SecurityEvent', {
  description: 'Entry in the audit log of an account.',
  fields: prismaFields('SecurityEvent', (t) => ({
    id: ['ID!', 'Id of the entry.'],
    type: t.expose('type', { type: SecurityEventTypeEnum, description: 'Kind of event.' }),
    userId: ['ID!', 'User whose account is affected.'],
    actorId: ['ID', 'User who caused the event; null when the request was not authenticated.'],
    address: t.exposeString('address', {
      description: "Network address of the request; empty after the actor's account was deleted.",
    }),
    businessId: ['ID', 'Business of the role (ROLE_CHANGED).'],
    role: t.string({
      nullable: true,
      description: 'Name of the new role; null when the role was removed (ROLE_CHANGED).',
      resolve: ({ detail }) => (detail as SecurityEventDetail).role,
    }),
    previousRole: t.string({
      nullable: true,
      description: 'Name of the replaced or removed role (ROLE_CHANGED).',
      resolve: ({ detail }) => (detail as SecurityEventDetail).previousRole,
    }),
    provider: t.string({
      nullable: true,
      description: 'Sign-in provider of the session (SIGNED_IN, SIGN_IN_FAILED, SIGNED_OUT).',
      resolve: ({ detail }) => (detail as SecurityEventDetail).provider,
    }),
    signedInWith: t.field({
      type: AuthProviderEnum,
      nullable: true,
      description: 'Same as `provider`, as an enum.',
      resolve: ({ detail }) =>
        authProviders.find((name) => name === (detail as SecurityEventDetail).provider),
    }),
    reason: t.string({
      nullable: true,
      description:
        '`REFRESH_TOKEN_REUSED` when the session was ended because a rotated refresh token was used again; null otherwise (SIGNED_OUT).',
      resolve: ({ detail }) => (detail as SecurityEventDetail).reason,
    }),
    keyId: t.id({
      nullable: true,
      description: 'Id of the API key (KEY_CREATED, KEY_REVOKED).',
      resolve: ({ detail }) => (detail as SecurityEventDetail).keyId,
    }),
    keyName: t.string({
      nullable: true,
      description: 'Name of the API key (KEY_CREATED, KEY_REVOKED).',
      resolve: ({ detail }) => (detail as SecurityEventDetail).keyName,
    }),
    timestamp: t.expose('createdAt', { type: 'Timestamp', description: 'Time of the event.' }),
  })),
});

export const SecurityEventConnection = createConnectionType('SecurityEvent', SecurityEventGraphqlType);
