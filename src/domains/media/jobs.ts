/** What media does in the background. */
import { processJob } from './process.ts';
import { removeAllJob, removeJob } from './remove.ts';
import { unfinishedJob } from './unfinished.ts';
import { unusedJob } from './unused.ts';

export const jobs = [processJob, removeJob, removeAllJob, unfinishedJob, unusedJob];
