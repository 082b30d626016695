/** Process entry point, equivalent to `duet start`. */
import { runDuetCommand } from './cli/run-command.ts';

void runDuetCommand(['start', ...process.argv.slice(2)], process.env);
