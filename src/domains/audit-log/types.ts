/** GraphQL types of the audit log. */

import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection-types.ts';
import { type OutputField, outputFields } from '../../graphql/schema/field-tables.ts';
import { describedEnumValues } from '../../graphql/schema/payload-and-enum-helpers.ts';
import {
  type AuditLogEntry,
  type auditActions,
  type auditActorKinds,
  auditedRecordKinds,
  type auditProtocols,
} from './model.ts';

export const ChangeKindEnum = builder.enumType('ChangeKind', {
  description: 'Kind of the changed record. Stock quantities are not in the audit log, see `stockMovements`.',
  values: auditedRecordKinds,
});

const ChangeActionEnum = builder.enumType('ChangeAction', {
  description: 'Action on the record.',
  values: describedEnumValues<(typeof auditActions)[number]>({
    CREATE: 'The record was created.',
    UPDATE: 'Fields of the record were changed.',
    DELETE: 'The record was deleted.',
  }),
});

export const ChangeActorEnum = builder.enumType('ChangeActor', {
  description: 'Kind of actor.',
  values: {
    USER: { description: 'A signed-in user.' },
    API_KEY: { description: 'A client with the API key of a user.' },
    ANONYMOUS: { description: 'A client that is not signed in, such as a newsletter subscriber.' },
    SYSTEM: { description: 'The gateway itself.' },
  } satisfies Record<(typeof auditActorKinds)[number], object>,
});

const ChangeVoiceEnum = builder.enumType('ChangeVoice', {
  description: 'Protocol of the request that made the change.',
  values: {
    REST: { description: 'A REST request.' },
    GRAPHQL: { description: 'A GraphQL request.' },
    JOB: { description: 'No client request: a job, a payment provider event, or an operator command.' },
  } satisfies Record<(typeof auditProtocols)[number], object>,
});

const omitted =
  'Omitted values are `{"omitted": reason}` with reason `SECRET`, `PERSONAL` (customer data) or `TOO_LONG`.';

const AuditLogEntryGraphqlType = builder.objectRef<AuditLogEntry>('Change').implement({
  description: 'Immutable audit log entry: one change of one record of a business. Retained for 400 days.',
  fields: outputFields(
    (t) =>
      ({
        id: ['ID!', 'Id of the change.'],
        businessId: ['ID!', 'Id of the business.'],
        kind: t.expose('kind', { type: ChangeKindEnum, description: 'Kind of the record.' }),
        recordId: [
          'ID!',
          'Id of the record; for a market its code in lower case, for a membership the user id.',
        ],
        action: t.expose('action', { type: ChangeActionEnum, description: 'Action on the record.' }),
        actor: t.expose('actor', { type: ChangeActorEnum, description: 'Kind of actor.' }),
        userId: ['ID', 'Id of the user, or of the owner of the API key; null for other actors.'],
        userName: ['String', 'Current name of the user; null once the account is deleted.'],
        keyId: ['ID', 'Id of the API key; null for other actors.'],
        keyName: ['String', 'Name of the API key; null once it is revoked.'],
        requestId: ['ID', '`X-Request-Id` of the request; null outside a request.'],
        voice: t.expose('voice', { type: ChangeVoiceEnum, description: 'Protocol of the request.' }),
        before: ['JSON', `Changed fields with their old values; null for a new record. ${omitted}`],
        after: ['JSON', `Changed fields with their new values; null for a deleted record. ${omitted}`],
        createdAt: ['Timestamp!', 'Time of the change.'],
      }) satisfies Record<keyof AuditLogEntry, OutputField>,
  ),
});

export const ChangeConnection = createConnectionType('Change', AuditLogEntryGraphqlType);
