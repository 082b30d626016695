/** GraphQL: what accounts keep about a person. */
import { builder } from '../../../graphql/schema/builder.ts';
import { PersonalDataType, personalListCost } from '../../shared/personal-data.ts';
import { requireMe } from '../account/me.ts';
import { SecurityEventObject } from '../audit/types.ts';
import { SessionType } from '../sign-in/types.ts';
import { UserType } from '../types.ts';
import { exportIdentities, exportKnownPlaces, exportSecurityEvents, exportSessions } from './export-me.ts';

const LinkedIdentityType = builder.prismaObject('Identity', {
  name: 'LinkedIdentity',
  description: 'Who somebody is at an identity provider.',
  fields: (t) => ({
    issuer: t.exposeString('issuer', { description: 'The identity provider.' }),
    subject: t.exposeString('subject', { description: 'What it calls them.' }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'Since when it is known.' }),
  }),
});

const KnownPlaceType = builder.prismaObject('KnownPlace', {
  description: 'Where somebody has signed in from.',
  fields: (t) => ({
    place: t.exposeString('place', { description: 'A network address, or for IPv6 its network.' }),
    lastSeenAt: t.expose('lastSeenAt', { type: 'Timestamp', description: 'When that was, the last time.' }),
  }),
});

builder.objectFields(PersonalDataType, (t) => ({
  user: t.field({
    type: UserType,
    description: 'The account, with addresses, phone numbers, roles and masked API keys.',
    resolve: (_owner, _args, ctx) => requireMe(ctx),
  }),
  identities: t.field({
    type: [LinkedIdentityType],
    description: 'Accounts at identity providers.',
    complexity: personalListCost,
    resolve: (owner, _args, ctx) => exportIdentities(ctx, owner),
  }),
  places: t.field({
    type: [KnownPlaceType],
    description: 'Where they have signed in from.',
    complexity: personalListCost,
    resolve: (owner, _args, ctx) => exportKnownPlaces(ctx, owner),
  }),
  sessions: t.field({
    type: [SessionType],
    description: 'Where they are signed in, newest first.',
    complexity: personalListCost,
    resolve: (owner, _args, ctx) => exportSessions(ctx, owner),
  }),
  securityEvents: t.field({
    type: [SecurityEventObject],
    description: 'The audit trail of the account, newest first.',
    complexity: personalListCost,
    resolve: (owner, _args, ctx) => exportSecurityEvents(ctx, owner),
  }),
}));
