/** The gateway under `npm run dev`: loads its code while the last one ends, and begins when it is told to. */
import { once } from 'node:events';
import { runDuet } from '../src/cli/run.ts';

await Promise.all([import('../src/cli/start.ts'), import('../src/cli/serve.ts')]);
await once(process.stdin.resume(), 'end');
void runDuet(['start'], process.env);
