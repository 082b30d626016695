/** What entries do in the background. */
import { publishDueJob } from './publish-due.ts';

export const jobs = [publishDueJob];
