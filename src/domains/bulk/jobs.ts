/** What imports and exports do in the background. */
import { cleanupJob } from './cleanup.ts';
import { resumeJob, runJob } from './run.ts';

export const jobs = [runJob, resumeJob, cleanupJob];
