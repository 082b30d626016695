/** Entry point of the `duet` command. */
import { runDuet } from './run-command.ts';

void runDuet(process.argv.slice(2), process.env);
