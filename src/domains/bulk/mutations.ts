/** GraphQL mutations of imports and exports. */
import { permissionInBusinessScope, permissionOnRecordScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { fieldArgs, inputArg } from '../../graphql/schema/field-tables.ts';
import { asPayload, createPayloadType } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { StartExportInput, StartImportInput } from './inputs.ts';
import { permissionsForAnyBulkOperation } from './lifecycle/bulk-permission-checks.ts';
import { cancelBulkOperation } from './lifecycle/find-and-cancel-operations.ts';
import { startExport, startImport } from './lifecycle/start-operation.ts';
import { bulkOperationRefSchema, startExportSchema, startImportSchema } from './schemas.ts';
import { BulkOperationGraphqlType } from './types.ts';

const BulkOperationPayload = createPayloadType(
  'BulkOperationPayload',
  'bulkOperation',
  BulkOperationGraphqlType,
);

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  return {
    startImport: t.field({
      type: BulkOperationPayload,
      description:
        'Starts a background import of records, one per line. Needs the write permission of the record type.',
      authScopes: permissionInBusinessScope(permissionsForAnyBulkOperation),
      args: { businessId, ...inputArg(StartImportInput, 'Record type, format and content.') },
      ...validatedField(startImportSchema, asPayload('bulkOperation', startImport)),
    }),
    startExport: t.field({
      type: BulkOperationPayload,
      description:
        'Starts a background export of all records of a type. Needs the permission to read all of them.',
      authScopes: permissionInBusinessScope(permissionsForAnyBulkOperation),
      args: { businessId, ...inputArg(StartExportInput, 'Record type and format.') },
      ...validatedField(startExportSchema, asPayload('bulkOperation', startExport)),
    }),
    cancelBulkOperation: t.field({
      type: BulkOperationPayload,
      description:
        'Cancels an import or export. Records that are already imported stay. Needs the permission to start it.',
      authScopes: permissionOnRecordScope(permissionsForAnyBulkOperation, 'Bulk operation'),
      args: fieldArgs({ businessId, id: ['ID!', 'Id of the operation.'] }),
      ...validatedField(bulkOperationRefSchema, asPayload('bulkOperation', cancelBulkOperation)),
    }),
  };
});
