/** Manifest of imports and exports: webhook events, jobs, registrations with other domains. Read by scripts/gather.ts. */
import './lifecycle/erase-personal-data.ts';
import './files/register-stored-bytes.ts';
import { deleteOldBulkOperationsJob } from './lifecycle/delete-old-operations.ts';
import { resumeBulkJob, runBulkJob } from './lifecycle/run-operation.ts';

export const webhookEvents = {
  'bulk.finished': 'An import or export has completed or failed.',
};

export const jobs = [runBulkJob, resumeBulkJob, deleteOldBulkOperationsJob];
