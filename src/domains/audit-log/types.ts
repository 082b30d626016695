/** GraphQL types of the audit log. */
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection-types.ts';
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
  fields: (t) =>
    ({
      id: t.exposeID('id', { description: 'Id of the change.' }),
      businessId: t.exposeID('businessId', { description: 'Id of the business.' }),
      kind: t.expose('kind', { type: ChangeKindEnum, description: 'Kind of the record.' }),
      recordId: t.exposeID('recordId', {
        description: 'Id of the record; for a market its code in lower case, for a membership the user id.',
      }),
      action: t.expose('action', { type: ChangeActionEnum, description: 'Action on the record.' }),
      actor: t.expose('actor', { type: ChangeActorEnum, description: 'Kind of actor.' }),
      userId: t.exposeID('userId', {
        nullable: true,
        description: 'Id of the user, or of the owner of the API key; null for other actors.',
      }),
      userName: t.exposeString('userName', {
        nullable: true,
        description: 'Current name of the user; null once the account is deleted.',
      }),
      keyId: t.exposeID('keyId', {
        nullable: true,
        description: 'Id of the API key; null for other actors.',
      }),
      keyName: t.exposeString('keyName', {
        nullable: true,
        description: 'Name of the API key; null once it is revoked.',
      }),
      requestId: t.exposeID('requestId', {
        nullable: true,
        description: '`X-Request-Id` of the request; null outside a request.',
      }),
      voice: t.expose('voice', { type: ChangeVoiceEnum, description: 'Protocol of the request.' }),
      before: t.expose('before', {
        type: 'JSON',
        nullable: true,
        description: `Changed fields with their old values; null for a new record. ${omitted}`,
      }),
      after: t.expose('after', {
        type: 'JSON',
        nullable: true,
        description: `Changed fields with their new values; null for a deleted record. ${omitted}`,
      }),
      createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'Time of the change.' }),
    }) satisfies Record<keyof AuditLogEntry, unknown>,
});

export const ChangeConnection = createConnectionType('Change', AuditLogEntryGraphqlType);
