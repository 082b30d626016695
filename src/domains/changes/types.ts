/** GraphQL types of the history. */
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection.ts';
import { enumValues } from '../../graphql/schema/type-helpers.ts';
import {
  type Change,
  type changeActions,
  type changeActors,
  changeKinds,
  type changeProtocols,
} from './model.ts';

export const ChangeKindEnum = builder.enumType('ChangeKind', {
  description:
    'What kind of record changed. Quantities in stock have a ledger of their own: see `stockMovements`.',
  values: changeKinds,
});

const ChangeActionEnum = builder.enumType('ChangeAction', {
  description: 'What was done to the record.',
  values: enumValues<(typeof changeActions)[number]>({
    CREATE: 'The record is new.',
    UPDATE: 'Some of its fields have changed.',
    DELETE: 'The record is gone.',
  }),
});

export const ChangeActorEnum = builder.enumType('ChangeActor', {
  description: 'Who changes records.',
  values: {
    USER: { description: 'Somebody who is signed in.' },
    API_KEY: { description: 'A system, with the API key of a user.' },
    ANONYMOUS: { description: 'Somebody who is not signed in, such as a subscriber.' },
    SYSTEM: { description: 'The service on its own.' },
  } satisfies Record<(typeof changeActors)[number], object>,
});

const ChangeVoiceEnum = builder.enumType('ChangeVoice', {
  description: 'How the change was asked for.',
  values: {
    REST: { description: 'By a REST path.' },
    GRAPHQL: { description: 'By GraphQL.' },
    JOB: { description: 'By nobody: a job, the word of a payment provider, an operator.' },
  } satisfies Record<(typeof changeProtocols)[number], object>,
});

const omitted =
  'What is not kept is `{"omitted": reason}`: `SECRET`, `PERSONAL` (about a customer), or `TOO_LONG`.';

export const ChangeType = builder.objectRef<Change>('Change').implement({
  description: 'One change of one record of a business. Kept for 400 days, and never changed itself.',
  fields: (t) =>
    ({
      id: t.exposeID('id', { description: 'Id of the change.' }),
      businessId: t.exposeID('businessId', { description: 'The business.' }),
      kind: t.expose('kind', { type: ChangeKindEnum, description: 'The kind of record.' }),
      recordId: t.exposeID('recordId', {
        description: 'Id of the record; of a market its code in lower case, of a membership its user.',
      }),
      action: t.expose('action', { type: ChangeActionEnum, description: 'What was done to it.' }),
      actor: t.expose('actor', { type: ChangeActorEnum, description: 'What kind of caller did it.' }),
      userId: t.exposeID('userId', { nullable: true, description: 'Who did it, or whose key was used.' }),
      userName: t.exposeString('userName', {
        nullable: true,
        description: 'What they are called today; absent once their account is deleted.',
      }),
      keyId: t.exposeID('keyId', { nullable: true, description: 'The API key that was used.' }),
      keyName: t.exposeString('keyName', {
        nullable: true,
        description: 'What the key is called; absent once it is revoked.',
      }),
      requestId: t.exposeID('requestId', {
        nullable: true,
        description: 'The `X-Request-Id` of the request.',
      }),
      voice: t.expose('voice', { type: ChangeVoiceEnum, description: 'How it was asked for.' }),
      before: t.expose('before', {
        type: 'JSON',
        nullable: true,
        description: `The fields that changed, as they were; absent for a new record. ${omitted}`,
      }),
      after: t.expose('after', {
        type: 'JSON',
        nullable: true,
        description: `The fields that changed, as they are now; absent for a deleted record. ${omitted}`,
      }),
      createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it happened.' }),
    }) satisfies Record<keyof Change, unknown>,
});

export const ChangeConnection = createConnectionType('Change', ChangeType);
