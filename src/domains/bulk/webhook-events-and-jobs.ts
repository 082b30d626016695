/** Webhook events and jobs of imports and exports. Read by scripts/gather.ts. */
import { deleteOldBulkOperationsJob } from './lifecycle/delete-old-operations.ts';
import { resumeBulkJob, runBulkJob } from './lifecycle/run-operation.ts';

export const webhookEvents = { 'bulk.finished': 'An import or export has completed or failed.' };

export const jobs = [runBulkJob, resumeBulkJob, deleteOldBulkOperationsJob];
