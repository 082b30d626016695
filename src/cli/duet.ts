/** Entry point of the `duet` command. */
import { runDuetCommand } from './run-command.ts';

void runDuetCommand(process.argv.slice(2), process.env);
