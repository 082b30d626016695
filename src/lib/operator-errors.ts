/** Variables of the environment that make sense only as a group, and what is said when one of them is missing. */

/** What the person who starts a process has to put right: the message says how, and no stack would tell them more. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}

/** Thrown with one line per bad variable, ready to be shown. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError';
}

/** All of them, or none. */
export function requireAllOrNone<Variables extends object, Name extends keyof Variables & string>(
  variables: Variables,
  names: readonly Name[],
): Record<Name, string> | undefined {
  const missing = names.filter((name) => variables[name] === undefined);
  if (missing.length === names.length) return undefined;
  if (missing.length > 0) {
    const set = names.filter((name) => variables[name] !== undefined);
    throw new ConfigError(`${set.join(', ')} is set, but ${missing.join(', ')} is missing.`);
  }
  return Object.fromEntries(names.map((name) => [name, variables[name]])) as unknown as Record<Name, string>;
}
