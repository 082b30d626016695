/** GraphQL queries of imports and exports. */
import { permissionInBusinessScope, permissionOnRecordScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../graphql/schema/connection-types.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { permissionsForAnyBulkOperation } from './lifecycle/bulk-permission-checks.ts';
import {
  findBulkOperation,
  listBulkErrors,
  listBulkOperations,
} from './lifecycle/find-and-cancel-operations.ts';
import { bulkOperationRefSchema, listBulkErrorsSchema, listBulkOperationsSchema } from './schemas.ts';
import {
  BulkErrorConnection,
  BulkKindEnum,
  BulkOperationConnection,
  BulkOperationGraphqlType,
  BulkStateEnum,
} from './types.ts';

builder.queryFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const id = t.arg.id({ required: true, description: 'Id of the operation.' });
  return {
    bulkOperation: t.field({
      type: BulkOperationGraphqlType,
      nullable: true,
      description: 'One import or export. Needs the permission to start it.',
      authScopes: permissionOnRecordScope(permissionsForAnyBulkOperation, 'Bulk operation'),
      args: { businessId, id },
      ...validatedField(bulkOperationRefSchema, findBulkOperation),
    }),
    bulkOperations: t.field({
      type: BulkOperationConnection,
      description: 'Imports and exports that the viewer has the permission to start, newest first.',
      authScopes: permissionInBusinessScope(permissionsForAnyBulkOperation),
      complexity: estimateListCost,
      args: fieldArgs({
        businessId,
        kind: [BulkKindEnum, 'Only imports, or only exports.'],
        state: [BulkStateEnum, 'Only in this state.'],
        ...pageArgs,
      }),
      ...validatedField(listBulkOperationsSchema, listBulkOperations),
    }),
    bulkErrors: t.field({
      type: BulkErrorConnection,
      description: 'Errors of the lines of an import, in line order. Needs the permission to start it.',
      authScopes: permissionOnRecordScope(permissionsForAnyBulkOperation, 'Bulk operation'),
      complexity: estimateListCost,
      args: { businessId, id, ...pageArgs },
      ...validatedField(listBulkErrorsSchema, listBulkErrors),
    }),
  };
});
