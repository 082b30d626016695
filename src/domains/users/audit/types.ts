/** GraphQL types of the audit trail of accounts. */
import { authProviders } from '../../../auth/tokens.ts';
import type { SecurityEvent } from '../../../generated/prisma/client.ts';
import type { SecurityEventType as eventTypes } from '../../../generated/prisma/enums.ts';
import { builder } from '../../../graphql/schema/builder.ts';
import { createConnectionType } from '../../../graphql/schema/connection.ts';
import { enumValues } from '../../../graphql/schema/type-helpers.ts';
import { AuthProviderEnum } from '../sign-in/types.ts';
import type { SecurityEventDetail } from './security-events.ts';

const SecurityEventTypeEnum = builder.enumType('SecurityEventType', {
  description: 'What happened to the safety of an account.',
  values: enumValues<keyof typeof eventTypes>({
    REGISTERED: 'The account was made.',
    EMAIL_CONFIRMED: 'The link of the mail was followed: the address is theirs.',
    PHONE_CONFIRMED: 'The code of the message was sent back: the number is theirs.',
    SIGNED_IN: 'A session began.',
    SIGN_IN_FAILED: 'Somebody tried with a wrong password.',
    SIGNED_OUT: 'A session was ended.',
    PASSWORD_CHANGED: 'A new password, chosen with the old one; other sessions ended.',
    PASSWORD_RESET: 'A new password, chosen with the link of a mail; all sessions ended.',
    IDENTITY_LINKED: 'An account at the identity provider may sign in from now on.',
    KEY_CREATED: 'An API key was made.',
    KEY_REVOKED: 'An API key works no more.',
    ROLE_CHANGED: 'They got another role in a business, or lost it.',
  }),
});

export const SecurityEventObject = builder.prismaObject('SecurityEvent', {
  description: 'An entry of the audit trail.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the entry.' }),
    type: t.expose('type', { type: SecurityEventTypeEnum, description: 'What happened.' }),
    userId: t.exposeID('userId', { description: 'Whose account it happened to.' }),
    actorId: t.exposeID('actorId', { nullable: true, description: 'Who did it, if they were signed in.' }),
    address: t.exposeString('address', { description: 'Network address it came from.' }),
    businessId: t.exposeID('businessId', { nullable: true, description: 'The business (ROLE_CHANGED).' }),
    role: t.string({
      nullable: true,
      description: 'Name of the new role; null when it was taken away (ROLE_CHANGED).',
      resolve: ({ detail }) => (detail as SecurityEventDetail).role,
    }),
    previousRole: t.string({
      nullable: true,
      description: 'Name of the role before (ROLE_CHANGED).',
      resolve: ({ detail }) => (detail as SecurityEventDetail).previousRole,
    }),
    provider: t.string({
      nullable: true,
      description: 'How they signed in (SIGNED_IN, SIGN_IN_FAILED, SIGNED_OUT).',
      resolve: ({ detail }) => (detail as SecurityEventDetail).provider,
    }),
    signedInWith: t.field({
      type: AuthProviderEnum,
      nullable: true,
      description: 'The same as `provider`, as an enum.',
      resolve: ({ detail }) =>
        authProviders.find((name) => name === (detail as SecurityEventDetail).provider),
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
    timestamp: t.expose('createdAt', { type: 'Timestamp', description: 'When.' }),
  }),
});

export const SecurityEventConnection = createConnectionType<SecurityEvent>(
  'SecurityEvent',
  SecurityEventObject,
);
