/** GraphQL types of sessions and sign-in results. */
import type { authProviders } from '../../../auth/sign-and-verify-tokens.ts';
import { builder } from '../../../graphql/schema/builder.ts';
import { createConnectionType } from '../../../graphql/schema/connection-types.ts';
import { outputFields, prismaFields } from '../../../graphql/schema/field-tables.ts';
import { createPayloadType, describedEnumValues } from '../../../graphql/schema/payload-and-enum-helpers.ts';
import type { AuthResult } from './sessions.ts';

export const AuthProviderEnum = builder.enumType('AuthProvider', {
  description: 'Sign-in method.',
  values: describedEnumValues<(typeof authProviders)[number]>({
    EMAIL: 'Email address and password.',
    OAUTH_IDP: 'OAuth with the configured identity provider.',
    GUEST: 'Guest without an account; the session belongs to one device.',
    API: 'API key, sent with each request; needs no sign-in.',
  }),
});

export const SessionGraphqlType = builder.prismaObject('Session', {
  description: 'Signed-in session. Its tokens act with the permissions of the user.',
  fields: prismaFields('Session', (t) => ({
    id: ['ID!', 'Id of the session.'],
    provider: t.expose('provider', { type: AuthProviderEnum, description: 'Method of the sign-in.' }),
    address: ['String!', 'Network address of the sign-in; empty when unknown.'],
    isCurrent: t.boolean({
      description: 'Whether the request uses this session.',
      resolve: ({ id }, _args, { viewer }) => id === viewer.user?.sessionId,
    }),
    createdAt: ['Timestamp!', 'Time of the sign-in.'],
    lastSeenAt: ['Timestamp', 'Time at which an access token was last issued.'],
    expiresAt: ['Timestamp', 'Expiry time; null when the session does not expire.'],
  })),
});

export const SessionConnection = createConnectionType('Session', SessionGraphqlType);

const AuthResultGraphqlType = builder.objectRef<AuthResult>('AuthResult').implement({
  description: 'Tokens of a signed-in session.',
  fields: outputFields((t) => ({
    userId: ['ID!', 'The signed-in user.'],
    provider: t.expose('provider', { type: AuthProviderEnum, description: 'Method of the sign-in.' }),
    accessToken: ['String!', 'Send it in the header `Authorization: Bearer <token>`. Valid for one hour.'],
    refreshToken: [
      'String!',
      'Exchange it for new access tokens with `refresh`. Valid until revoked or rotated; for guests, 30 days.',
    ],
    tokenType: ['String!', 'Always Bearer.'],
    expiresAt: ['Timestamp!', 'Expiry time of the access token.'],
    scope: ['String!', '`user` or `guest`.'],
    isGuest: ['Boolean!', 'Whether the user is a guest.'],
  })),
});

export const AuthPayload = createPayloadType('AuthPayload', 'auth', AuthResultGraphqlType);
