/** Lists of named database URLs: `name=url,name=url`. A URL may contain several hosts, separated by commas too. */

export interface NamedDatabaseUrl {
  readonly name: string;
  readonly url: string;
}

/** A comma begins a new entry only when a name and `=` follow; between hosts, a port, a path or the next comma comes first. */
const entrySeparator = /,(?=[^=,/?:@]*=)/;

/** Entries without `=` have an empty name. */
export function splitNamedDatabaseUrls(value: string): NamedDatabaseUrl[] {
  return value
    .split(entrySeparator)
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => {
      const end = /^[^:/?@]*?=/.exec(entry)?.[0].length ?? 0;
      return { name: entry.slice(0, Math.max(end - 1, 0)).trim(), url: entry.slice(end).trim() };
    });
}
