/** Parses query parameters to the type of the variable that they set. */
import { type GraphQLInputType, getNamedType, getNullableType, isListType } from 'graphql';

/** `strings` may be sent as a JSON array, as repeated parameters, or separated by commas. */
export type QueryParamKind = 'string' | 'integer' | 'number' | 'boolean' | 'strings';

interface QueryParamMapping {
  name: string;
  variable: string;
  /** Field of the variable, if the parameter sets only a field. */
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

export function setVariablesFromQueryParams(
  query: string,
  params: readonly QueryParamMapping[],
  variables: Record<string, unknown>,
): void {
  if (query === '') return;
  const searchParams = new URLSearchParams(query);
  for (const { name, variable, field, kind } of params) {
    const values = [...searchParams.getAll(name), ...searchParams.getAll(`${name}[]`)];
    if (values.length === 0) continue;
    const value = kind === 'strings' ? parseStrings(values) : parseSingle(values.at(-1) ?? '', kind);
    if (field === undefined) variables[variable] ??= value;
    else if (value !== null) variables[variable] = { ...(variables[variable] as object), [field]: value };
  }
}

/** Names of the parameters that a route does not have. A list may be sent as `name[]`. */
export function listUnknownQueryParams(query: string, declared: readonly string[]): string[] {
  if (query === '') return [];
  const names = new Set(new URLSearchParams(query).keys());
  return [...names].filter((name) => !declared.includes(name.replace(/\[\]$/, '')));
}

const maxInt = 2_147_483_647;

/** A value that does not match its kind stays a string, so that the validation of variables reports the error. */
function parseSingle(value: string, kind: QueryParamKind): unknown {
  if (value === '' || value === 'null' || value === 'undefined') return null;
  if (kind === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  if (kind === 'integer' && /^-?\d+(?:e\d{1,2})?$/i.test(value))
    return Math.max(-maxInt, Math.min(maxInt, Number(value)));
  if (kind === 'number' && /^-?\d+(?:\.\d+)?$/.test(value)) return Number(value);
  return value;
}

function parseStrings(values: readonly string[]): unknown {
  const items = values.flatMap((value) => {
    if (value.startsWith('[')) {
      try {
        const parsed: unknown = JSON.parse(value);
        if (Array.isArray(parsed)) return parsed as unknown[];
      } catch {
        // Not JSON: a plain value that begins with a bracket.
      }
    }
    return value.split(',').map((item) => item.trim());
  });
  const nonEmpty = items.filter((item) => item !== '' && item !== 'null' && item !== null);
  return nonEmpty.length > 0 ? nonEmpty : null;
}
