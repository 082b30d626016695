/** GraphQL types of the account part of `exportMe`. */
import { builder } from '../../../graphql/schema/builder.ts';
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
  fields: (t) => ({
    issuer: t.exposeString('issuer', { description: 'Issuer URL of the identity provider.' }),
    subject: t.exposeString('subject', { description: 'User id at the identity provider (`sub` claim).' }),
    createdAt: t.expose('createdAt', {
      type: 'Timestamp',
      description: 'Time of the first sign-in with this identity.',
    }),
  }),
});

const KnownPlaceGraphqlType = builder.prismaObject('KnownPlace', {
  description: 'Network from which the user has signed in.',
  fields: (t) => ({
    place: t.exposeString('place', { description: 'IPv4 address, or IPv6 /64 network.' }),
    lastSeenAt: t.expose('lastSeenAt', {
      type: 'Timestamp',
      description: 'Time of the last sign-in from this network.',
    }),
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
