/** What entries do in the background. */
import { publishDueJob } from './schedule/publish-due-entries.ts';

export const jobs = [publishDueJob];
