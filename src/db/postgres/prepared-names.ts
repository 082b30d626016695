/** The names under which connections prepare statements: the same text has the same name on all of them. */

// Statement texts are few and fixed; past this many, the rest run unnamed so that the server's memory is safe.
const maxNamedStatements = 1000;

export interface PreparedNames {
  /** Undefined: not to be prepared. */
  of(text: string): string | undefined;
  /** From now on the text has another name: what was prepared under the old one no longer fits. */
  forget(text: string): void;
}

export function createPreparedNames(): PreparedNames {
  const names = new Map<string, string>();
  let named = 0;
  return {
    of(text) {
      let name = names.get(text);
      if (name === undefined && names.size < maxNamedStatements) {
        name = `duet_${++named}`;
        names.set(text, name);
      }
      return name;
    },
    forget(text) {
      names.delete(text);
    },
  };
}
