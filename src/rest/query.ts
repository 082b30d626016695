/** Query strings: each row says what kind of parameter it expects; unknown ones are ignored. */

/** `strings` may be sent as a JSON array, repeated, or comma separated. */
export type ParamKind = 'string' | 'integer' | 'boolean' | 'strings';
export type QuerySpec = Readonly<Record<string, ParamKind>>;
export type QueryValues = Record<string, unknown>;

export function parseQuery(query: string, spec: QuerySpec): QueryValues {
  if (query === '') return {};
  const params = new URLSearchParams(query);
  const values: QueryValues = {};
  for (const [name, kind] of Object.entries(spec)) {
    const given = [...params.getAll(name), ...params.getAll(`${name}[]`)];
    if (given.length > 0)
      values[name] = kind === 'strings' ? strings(given) : single(given.at(-1) ?? '', kind);
  }
  return values;
}

const maxInt = 2_147_483_647;

/** What does not fit its kind stays a string: the operation's types then say what is wrong with it. */
function single(value: string, kind: ParamKind): unknown {
  if (value === '' || value === 'null' || value === 'undefined') return null;
  if (kind === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  if (kind === 'integer' && /^-?\d+(?:e\d{1,2})?$/i.test(value))
    return Math.max(-maxInt, Math.min(maxInt, Number(value)));
  return value;
}

function strings(given: readonly string[]): unknown {
  const all = given.flatMap((value) => {
    if (value.startsWith('[')) {
      try {
        const parsed: unknown = JSON.parse(value);
        if (Array.isArray(parsed)) return parsed as unknown[];
      } catch {
        // Not JSON after all: a plain value that begins with a bracket.
      }
    }
    return value.split(',').map((item) => item.trim());
  });
  const kept = all.filter((item) => item !== '' && item !== 'null' && item !== null);
  return kept.length > 0 ? kept : null;
}
