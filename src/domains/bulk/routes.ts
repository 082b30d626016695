/** `/v1/businesses/{businessId}/bulk-operations` */
import * as operations from '../../generated/operations.ts';
import { customRoute, getRoute, listRoute, postRoute } from '../../rest/route.ts';

const all = '/v1/businesses/:businessId/bulk-operations';
const one = `${all}/:id` as const;

export const routes = [
  postRoute(`${all}/imports`, operations.StartImportDocument, { answer: 'startImport.bulkOperation' }),
  postRoute(`${all}/exports`, operations.StartExportDocument, { answer: 'startExport.bulkOperation' }),
  listRoute(all, operations.ListBulkOperationsDocument, {
    query: ['kind', 'state'],
    answer: 'bulkOperations',
  }),
  getRoute(one, operations.GetBulkOperationDocument, { answer: 'bulkOperation', missing: 'Bulk operation' }),
  listRoute(`${one}/errors`, operations.ListBulkErrorsDocument, { answer: 'bulkErrors' }),
  customRoute('POST', `${one}/cancel`, operations.CancelBulkOperationDocument, {
    answer: 'cancelBulkOperation.bulkOperation',
  }),
];
