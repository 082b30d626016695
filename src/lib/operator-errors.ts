/** Errors that the operator of a process can fix, such as missing environment variables. */

/** Error whose message states what the operator has to do. Printed without a stack trace. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}

/** Invalid configuration; the message has one line per invalid variable. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError';
}

/** Requires that all of these variables are set, or none (undefined). Throws ConfigError otherwise. */
export function requireAllVariablesOrNone<Variables extends object, Name extends keyof Variables & string>(
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
