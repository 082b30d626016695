/** `/v1/businesses/{businessId}/bulk-operations` */
import * as operations from '../../generated/operations.ts';
import { act, create, get, list } from '../../rest/row.ts';

const all = '/v1/businesses/:businessId/bulk-operations';
const one = `${all}/:id` as const;

export const routes = [
  create(`${all}/imports`, operations.StartImportDocument, { answer: 'startImport.bulkOperation' }),
  create(`${all}/exports`, operations.StartExportDocument, { answer: 'startExport.bulkOperation' }),
  list(all, operations.ListBulkOperationsDocument, { query: ['kind', 'state'], answer: 'bulkOperations' }),
  get(one, operations.GetBulkOperationDocument, { answer: 'bulkOperation', missing: 'Bulk operation' }),
  list(`${one}/errors`, operations.ListBulkErrorsDocument, { answer: 'bulkErrors' }),
  act('POST', `${one}/cancel`, operations.CancelBulkOperationDocument, {
    answer: 'cancelBulkOperation.bulkOperation',
  }),
];
