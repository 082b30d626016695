/** Finds environment variables that look like misspelt names of known ones. */
import { environmentSchema } from './environment-schema.ts';
import { findClosestName } from './lib/text/closest-name.ts';

/** Shorter names resemble unrelated variables of the system: HOME is close to HOST. */
const minLength = 7;
const maxDifferences = 2;

/** One line per misspelt variable. */
export function listMisspeltVariables(env: Record<string, string | undefined>): string[] {
  const names = Object.keys(environmentSchema.shape);
  const knownNames = new Set(names);
  const longNames = names.filter((name) => name.length >= minLength);
  return Object.keys(env)
    .filter((name) => name.length >= minLength && !knownNames.has(name))
    .flatMap((name) => {
      const match = findClosestName(name.toUpperCase(), longNames, maxDifferences);
      return match === undefined ? [] : [`${name} is not a known variable; did you mean ${match}?`];
    });
}
