/** The gateway as a process: the same as `duet start`. */
import { runDuet } from './cli/run.ts';

await runDuet(['start'], process.env);
