/**
 * Watches a folder tree, with one watcher per folder: the recursive watcher of Node 20 reports a file that an editor replaces by a rename
 * once, and later changes of that file never.
 */
import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/** Returns a function that stops watching. */
export function watchFolders(root: string, onChange: () => void): () => void {
  let watchers: FSWatcher[] = [];

  function watchTree(folder: string): void {
    try {
      // Before the folder is read, so that files created meanwhile are reported.
      watchers.push(watch(folder, handleEvent));
      for (const entry of readdirSync(folder, { withFileTypes: true }))
        if (entry.isDirectory()) watchTree(join(folder, entry.name));
    } catch {
      // The folder was deleted meanwhile, which the watcher of its parent reports.
    }
  }

  /** A rename may have replaced a folder under the same name, whose old watcher is then dead: all folders are watched again. */
  function handleEvent(event: string): void {
    if (event === 'rename') {
      stop();
      watchTree(root);
    }
    onChange();
  }

  function stop(): void {
    for (const watcher of watchers) watcher.close();
    watchers = [];
  }

  watchTree(root);
  return stop;
}
