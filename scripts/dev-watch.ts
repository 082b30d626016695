/**
 * Tells of changes in a folder and all below it, each watched by itself: what Node 20 offers for all of them hears of a file that an editor
 * puts in the place of another once, and never again.
 */
import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/** Returns what ends it. */
export function watchFolders(root: string, changed: () => void): () => void {
  let watchers: FSWatcher[] = [];

  function include(folder: string): void {
    try {
      // Before it is read: what comes into it meanwhile is heard of.
      watchers.push(watch(folder, heard));
      for (const entry of readdirSync(folder, { withFileTypes: true }))
        if (entry.isDirectory()) include(join(folder, entry.name));
    } catch {
      // It went away meanwhile, which the folder above hears of.
    }
  }

  /** A folder that was made anew cannot be told from the one before: all are looked for again. */
  function heard(event: string): void {
    if (event === 'rename') {
      end();
      include(root);
    }
    changed();
  }

  function end(): void {
    for (const watcher of watchers) watcher.close();
    watchers = [];
  }

  include(root);
  return end;
}
