/** Gateway process of `npm run dev`: imports the files that its parent sends, one after another, and exits when the parent does. */
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';

process.setSourceMapsEnabled(true);
/** @type {Promise<unknown>} */
let imported = Promise.resolve();
process.on('message', (/** @type {string[]} */ files) => {
  for (const file of files)
    imported = imported.then(() => import(isAbsolute(file) ? pathToFileURL(file).href : file));
});
process.on('disconnect', () => process.kill(process.pid, 'SIGINT'));
