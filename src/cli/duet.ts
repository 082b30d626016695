/** The command of the package. */
import { runDuet } from './run.ts';

void runDuet(process.argv.slice(2), process.env);
