/** Process entry point, equivalent to `duet start`. */
import { runDuet } from './cli/run-command.ts';

void runDuet(['start', ...process.argv.slice(2)], process.env);
