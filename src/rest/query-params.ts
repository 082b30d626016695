/** Query strings: parameters are read as the kind of variable they become; unknown ones are ignored. */
import { type GraphQLInputType, getNamedType, getNullableType, isListType } from 'graphql';

/** `strings` may be sent as a JSON array, repeated, or comma separated. */
export type QueryParamKind = 'string' | 'integer' | 'number' | 'boolean' | 'strings';

export interface QueryParam {
  name: string;
  variable: string;
  /** The field of the variable that it fills, where it is not the whole of it. */
  field: string | undefined;
  kind: QueryParamKind;
}

const kinds: Readonly<Record<string, QueryParamKind>> = {
  Int: 'integer',
  Float: 'number',
  Timestamp: 'number',
  Money: 'number',
  Boolean: 'boolean',
};

export const queryParamKindOf = (type: GraphQLInputType): QueryParamKind =>
  isListType(getNullableType(type)) ? 'strings' : (kinds[getNamedType(type).name] ?? 'string');

export function readQueryParams(
  query: string,
  params: readonly QueryParam[],
  variables: Record<string, unknown>,
): void {
  if (query === '') return;
  const sent = new URLSearchParams(query);
  for (const { name, variable, field, kind } of params) {
    const given = [...sent.getAll(name), ...sent.getAll(`${name}[]`)];
    if (given.length === 0) continue;
    const value = kind === 'strings' ? strings(given) : single(given.at(-1) ?? '', kind);
    if (field === undefined) variables[variable] ??= value;
    else if (value !== null) variables[variable] = { ...(variables[variable] as object), [field]: value };
  }
}

const maxInt = 2_147_483_647;

/** What does not fit its kind stays a string: the operation's types then say what is wrong with it. */
function single(value: string, kind: QueryParamKind): unknown {
  if (value === '' || value === 'null' || value === 'undefined') return null;
  if (kind === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  if (kind === 'integer' && /^-?\d+(?:e\d{1,2})?$/i.test(value))
    return Math.max(-maxInt, Math.min(maxInt, Number(value)));
  if (kind === 'number' && /^-?\d+(?:\.\d+)?$/.test(value)) return Number(value);
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
