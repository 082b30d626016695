/** The query of the history. It needs ADMIN. */

import { permissionInBusiness } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { listCost, pageArgs } from '../../graphql/schema/connection.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { listChanges } from './list-changes.ts';
import { listChangesSchema } from './schemas.ts';
import { ChangeActorEnum, ChangeConnection, ChangeKindEnum } from './types.ts';

builder.queryField('changes', (t) =>
  t.field({
    type: ChangeConnection,
    description: 'What was changed in a business, by whom and how, newest first. Needs ADMIN.',
    authScopes: permissionInBusiness('ADMIN'),
    complexity: listCost,
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      kind: t.arg({ type: ChangeKindEnum, description: 'Only records of this kind.' }),
      recordId: t.arg.string({ description: 'Only this record.' }),
      actor: t.arg({ type: ChangeActorEnum, description: 'Only changes by this kind of caller.' }),
      userId: t.arg.string({ description: 'Only what this user, or a key of theirs, did.' }),
      since: t.arg({ type: 'Timestamp', description: 'Not before this moment.' }),
      until: t.arg({ type: 'Timestamp', description: 'Before this moment.' }),
      ...pageArgs,
    },
    ...validatedField(listChangesSchema, (args, ctx) => listChanges(ctx, args)),
  }),
);
