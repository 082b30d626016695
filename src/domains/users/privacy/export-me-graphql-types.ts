/** GraphQL types of the account part of `exportMe`. */
import { builder } from '../../../graphql/schema/builder.ts';
import { prismaFields } from '../../../graphql/schema/field-tables.ts';
import {
  PersonalDataGraphqlType,
  personalDataListCost,
} from '../../shared/personal-data/personal-data-graphql-type.ts';
import { requireOwnAccount } from '../account/load-own-account.ts';
import { SecurityEventGraphqlType } from '../security-events/types.ts';
import { SessionGraphqlType } from '../sign-in/types.ts';
import { UserGraphqlType } from '../types.ts';
import { exportIdentities, exportSecurityEvents, exportSessions, exportSignInNetworks } from './export-me.ts';

const LinkedIdentityGraphqlType = builder.prismaObject('Identity', {
  name: 'LinkedIdentity',
  description: 'Account at an identity provider that is linked to the user.',
  fields: prismaFields('Identity', {
    issuer: ['String!', 'Issuer URL of the identity provider.'],
    subject: ['String!', 'User id at the identity provider (`sub` claim).'],
    createdAt: ['Timestamp!', 'Time of the first sign-in with this identity.'],
  }),
});

const KnownPlaceGraphqlType = builder.prismaObject('KnownPlace', {
  description: 'Network from which the user has signed in.',
  fields: prismaFields('KnownPlace', {
    place: ['String!', 'IPv4 address, or IPv6 /64 network.'],
    lastSeenAt: ['Timestamp!', 'Time of the last sign-in from this network.'],
  }),
});

builder.objectFields(PersonalDataGraphqlType, (t) => ({
  user: t.field({
    type: UserGraphqlType,
    description: 'The account, with addresses, phone numbers, roles and masked API keys.',
    resolve: (_owner, _args, ctx) => requireOwnAccount(ctx),
  }),
  identities: t.field({
    type: [LinkedIdentityGraphqlType],
    description: 'Linked accounts at identity providers.',
    complexity: personalDataListCost,
    resolve: (owner, _args, ctx) => exportIdentities(ctx, owner),
  }),
  places: t.field({
    type: [KnownPlaceGraphqlType],
    description: 'Networks from which the user has signed in.',
    complexity: personalDataListCost,
    resolve: (owner, _args, ctx) => exportSignInNetworks(ctx, owner),
  }),
  sessions: t.field({
    type: [SessionGraphqlType],
    description: 'Open sessions, newest first.',
    complexity: personalDataListCost,
    resolve: (owner, _args, ctx) => exportSessions(ctx, owner),
  }),
  securityEvents: t.field({
    type: [SecurityEventGraphqlType],
    description: 'Audit log of the account, newest first.',
    complexity: personalDataListCost,
    resolve: (owner, _args, ctx) => exportSecurityEvents(ctx, owner),
  }),
}));
