/** What imports and exports do in the background. */
import { deleteOldBulkOperationsJob } from './lifecycle/delete-old-operations.ts';
import { resumeBulkJob, runBulkJob } from './lifecycle/run-operation.ts';

export const jobs = [runBulkJob, resumeBulkJob, deleteOldBulkOperationsJob];
