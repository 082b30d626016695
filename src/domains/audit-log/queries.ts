/** The `changes` query: audit log of a business. Needs ADMIN. */

import { permissionInBusinessScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../graphql/schema/connection-types.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { listAuditLogEntries } from './list-audit-log-entries.ts';
import { listAuditLogEntriesSchema } from './schemas.ts';
import { ChangeActorEnum, ChangeConnection, ChangeKindEnum } from './types.ts';

builder.queryField('changes', (t) =>
  t.field({
    type: ChangeConnection,
    description: 'Audit log of a business, newest first. Needs ADMIN.',
    authScopes: permissionInBusinessScope('ADMIN'),
    complexity: estimateListCost,
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      kind: t.arg({ type: ChangeKindEnum, description: 'Only records of this kind.' }),
      recordId: t.arg.string({ description: 'Only changes of this record.' }),
      actor: t.arg({ type: ChangeActorEnum, description: 'Only changes by this kind of actor.' }),
      userId: t.arg.string({ description: 'Only changes by this user or an API key of the user.' }),
      since: t.arg({ type: 'Timestamp', description: 'Only changes at or after this time.' }),
      until: t.arg({ type: 'Timestamp', description: 'Only changes before this time.' }),
      ...pageArgs,
    },
    ...validatedField(listAuditLogEntriesSchema, listAuditLogEntries),
  }),
);
