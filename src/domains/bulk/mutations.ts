/** Mutations of imports and exports. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { payloadOf } from '../../graphql/payload.ts';
import { inBusiness, onRecord } from '../../graphql/scopes.ts';
import { bulkAddressCheck, startExportCheck, startImportCheck } from './checks.ts';
import { cancelBulkOperation } from './find.ts';
import { StartExportInput, StartImportInput } from './inputs.ts';
import { someRights } from './rights.ts';
import { startExport, startImport } from './start.ts';
import { BulkOperationType } from './types.ts';

const BulkOperationPayload = payloadOf('BulkOperationPayload', 'bulkOperation', BulkOperationType);

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  return {
    startImport: t.field({
      type: BulkOperationPayload,
      description: 'Imports records line by line, in the background. Needs what writing one of them needs.',
      authScopes: inBusiness(someRights),
      args: {
        businessId,
        input: t.arg({ type: StartImportInput, required: true, description: 'What to import.' }),
      },
      ...checked(startImportCheck, async (args, ctx) => ({ bulkOperation: await startImport(ctx, args) })),
    }),
    startExport: t.field({
      type: BulkOperationPayload,
      description: 'Exports all records of a kind, in the background. Needs what reading all of them needs.',
      authScopes: inBusiness(someRights),
      args: {
        businessId,
        input: t.arg({ type: StartExportInput, required: true, description: 'What to export.' }),
      },
      ...checked(startExportCheck, async (args, ctx) => ({ bulkOperation: await startExport(ctx, args) })),
    }),
    cancelBulkOperation: t.field({
      type: BulkOperationPayload,
      description: 'Stops an import or export. What was imported stays. Needs what it took to begin it.',
      authScopes: onRecord(someRights, 'Bulk operation'),
      args: { businessId, id: t.arg.id({ required: true, description: 'Id of the operation.' }) },
      ...checked(bulkAddressCheck, async (args, ctx) => ({
        bulkOperation: await cancelBulkOperation(ctx, args),
      })),
    }),
  };
});
