/** REST routes of `/v1/businesses/{businessId}/bulk-operations`. */
import * as operations from '../../generated/operations.ts';
import { customRoute, getRoute, listRoute, postRoute } from '../../rest/route.ts';

const operationsPath = '/v1/businesses/:businessId/bulk-operations';
const operationPath = `${operationsPath}/:id` as const;

export const routes = [
  postRoute(`${operationsPath}/imports`, operations.StartImportDocument, {
    response: 'startImport.bulkOperation',
  }),
  postRoute(`${operationsPath}/exports`, operations.StartExportDocument, {
    response: 'startExport.bulkOperation',
  }),
  listRoute(operationsPath, operations.ListBulkOperationsDocument, {
    query: ['kind', 'state'],
    response: 'bulkOperations',
  }),
  getRoute(operationPath, operations.GetBulkOperationDocument, {
    response: 'bulkOperation',
    recordName: 'Bulk operation',
  }),
  listRoute(`${operationPath}/errors`, operations.ListBulkErrorsDocument, { response: 'bulkErrors' }),
  customRoute('POST', `${operationPath}/cancel`, operations.CancelBulkOperationDocument, {
    response: 'cancelBulkOperation.bulkOperation',
  }),
];
