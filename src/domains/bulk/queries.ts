/** Queries of imports and exports: for who may do what they do. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { listCost, pageArgs } from '../../graphql/connection.ts';
import { inBusiness, onRecord } from '../../graphql/scopes.ts';
import { bulkAddressCheck, bulkErrorListCheck, bulkListCheck } from './checks.ts';
import { findBulkOperation, listBulkErrors, listBulkOperations } from './find.ts';
import { someRights } from './rights.ts';
import {
  BulkErrorConnection,
  BulkKindEnum,
  BulkOperationConnection,
  BulkOperationType,
  BulkStateEnum,
} from './types.ts';

builder.queryFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const id = t.arg.id({ required: true, description: 'Id of the operation.' });
  return {
    bulkOperation: t.field({
      type: BulkOperationType,
      nullable: true,
      description: 'One import or export. Needs what it took to begin it.',
      authScopes: onRecord(someRights, 'Bulk operation'),
      args: { businessId, id },
      ...checked(bulkAddressCheck, (args, ctx) => findBulkOperation(ctx, args)),
    }),
    bulkOperations: t.field({
      type: BulkOperationConnection,
      description: 'Imports and exports, newest first. Shows those that the viewer could have begun.',
      authScopes: inBusiness(someRights),
      complexity: listCost,
      args: {
        businessId,
        kind: t.arg({ type: BulkKindEnum, description: 'Only imports, or only exports.' }),
        state: t.arg({ type: BulkStateEnum, description: 'Only in this state.' }),
        ...pageArgs,
      },
      ...checked(bulkListCheck, (args, ctx) => listBulkOperations(ctx, args)),
    }),
    bulkErrors: t.field({
      type: BulkErrorConnection,
      description:
        'What was wrong with the lines of an import, in their order. Needs what it took to begin it.',
      authScopes: onRecord(someRights, 'Bulk operation'),
      complexity: listCost,
      args: { businessId, id, ...pageArgs },
      ...checked(bulkErrorListCheck, (args, ctx) => listBulkErrors(ctx, args)),
    }),
  };
});
