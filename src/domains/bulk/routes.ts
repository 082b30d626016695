/** REST routes of `/v1/businesses/{businessId}/bulk-operations`. */
import * as operations from '../../generated/operations.ts';
import { defineCustomRoute, defineGetRoute, defineListRoute, definePostRoute } from '../../rest/route.ts';

const operationsPath = '/v1/businesses/:businessId/bulk-operations';
const operationPath = `${operationsPath}/:id` as const;

export const routes = [
  definePostRoute(`${operationsPath}/imports`, operations.StartImportDocument, {
    creates: { location: operationPath },
  }),
  definePostRoute(`${operationsPath}/exports`, operations.StartExportDocument, {
    creates: { location: operationPath },
  }),
  defineListRoute(operationsPath, operations.ListBulkOperationsDocument, { query: ['kind', 'state'] }),
  defineGetRoute(operationPath, operations.GetBulkOperationDocument, { recordName: 'Bulk operation' }),
  defineListRoute(`${operationPath}/errors`, operations.ListBulkErrorsDocument),
  defineCustomRoute('POST', `${operationPath}/cancel`, operations.CancelBulkOperationDocument),
];
