/** A gateway under `npm run dev`: imports what it is sent, one after the other, and ends with whoever sends it. */
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';

process.setSourceMapsEnabled(true);
/** @type {Promise<unknown>} */
let done = Promise.resolve();
process.on('message', (/** @type {string[]} */ files) => {
  for (const file of files)
    done = done.then(() => import(isAbsolute(file) ? pathToFileURL(file).href : file));
});
process.on('disconnect', () => process.kill(process.pid, 'SIGINT'));
