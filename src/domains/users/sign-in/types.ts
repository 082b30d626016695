/** GraphQL types of sign-ins and sessions. */
import type { authProviders } from '../../../auth/tokens.ts';
import type { Session } from '../../../generated/prisma/client.ts';
import { builder } from '../../../graphql/schema/builder.ts';
import { createConnectionType } from '../../../graphql/schema/connection.ts';
import { createPayloadType, enumValues } from '../../../graphql/schema/type-helpers.ts';
import type { AuthResult } from './sessions.ts';

export const AuthProviderEnum = builder.enumType('AuthProvider', {
  description: 'How somebody proved who they are.',
  values: enumValues<(typeof authProviders)[number]>({
    EMAIL: 'With email and password.',
    OAUTH_IDP: 'At the identity provider.',
    GUEST: 'Without an account, for one device.',
    API: 'With an API key, which needs no sign-in.',
  }),
});

export const SessionType = builder.prismaObject('Session', {
  description: 'A sign-in that goes on: whoever holds its tokens acts for the user.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the session.' }),
    provider: t.expose('provider', { type: AuthProviderEnum, description: 'How they signed in.' }),
    address: t.exposeString('address', { description: 'Network address of the sign-in; may be empty.' }),
    isCurrent: t.boolean({
      description: 'Whether it is the one that asks.',
      resolve: ({ id }, _args, { viewer }) => id === viewer.user?.sessionId,
    }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When they signed in.' }),
    lastSeenAt: t.expose('lastSeenAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When it last gave an access token.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When it ends by itself; absent when it does not.',
    }),
  }),
});

export const SessionConnection = createConnectionType<Session>('Session', SessionType);

const AuthResultType = builder.objectRef<AuthResult>('AuthResult').implement({
  description: 'What a sign-in gives.',
  fields: (t) => ({
    userId: t.exposeID('userId', { description: 'Who is signed in.' }),
    provider: t.expose('provider', { type: AuthProviderEnum, description: 'How.' }),
    accessToken: t.exposeString('accessToken', { description: 'Send it as `Authorization: Bearer`.' }),
    refreshToken: t.exposeString('refreshToken', {
      description: 'Gives new access tokens until it is revoked.',
    }),
    tokenType: t.exposeString('tokenType', { description: 'Always Bearer.' }),
    expiresAt: t.expose('expiresAt', { type: 'Timestamp', description: 'When the access token expires.' }),
    scope: t.exposeString('scope', { description: '`user` or `guest`.' }),
    isGuest: t.exposeBoolean('isGuest', { description: 'Whether this is a guest.' }),
  }),
});

export const AuthPayload = createPayloadType('AuthPayload', 'auth', AuthResultType);
