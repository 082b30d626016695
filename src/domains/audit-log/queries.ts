/** The `changes` query: audit log of a business. Needs ADMIN. */
import { permissionInBusinessScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../graphql/schema/connection-types.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
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
    args: fieldArgs({
      businessId: ['ID!', 'The business.'],
      kind: [ChangeKindEnum, 'Only records of this kind.'],
      recordId: ['String', 'Only changes of this record.'],
      actor: [ChangeActorEnum, 'Only changes by this kind of actor.'],
      userId: ['String', 'Only changes by this user or an API key of the user.'],
      since: ['Timestamp', 'Only changes at or after this time.'],
      until: ['Timestamp', 'Only changes before this time.'],
      ...pageArgs,
    }),
    ...validatedField(listAuditLogEntriesSchema, listAuditLogEntries),
  }),
);
