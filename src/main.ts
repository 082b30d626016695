/** The gateway as a process: the same as `duet start`. */
import { runDuet } from './cli/run.ts';

void runDuet(['start'], process.env);
