/** Names of prepared statements: the same text has the same name on every connection. */

// The application has a fixed set of statements. Beyond this limit statements run unnamed, to protect the server's memory.
const maxNamedStatements = 1000;

export interface PreparedStatementNames {
  /** Undefined: run the statement unnamed. */
  of(text: string): string | undefined;
  /** Gives the text a new name, because the statement prepared under the old one is stale. */
  forget(text: string): void;
}

export function createPreparedStatementNames(): PreparedStatementNames {
  const names = new Map<string, string>();
  let count = 0;
  return {
    of(text) {
      let name = names.get(text);
      if (name === undefined && names.size < maxNamedStatements) {
        name = `duet_${++count}`;
        names.set(text, name);
      }
      return name;
    },
    forget(text) {
      names.delete(text);
    },
  };
}
