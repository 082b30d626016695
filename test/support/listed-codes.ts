/** Checks for every GraphQL response of the suite that the description of the root field lists the detail codes of its errors. */
import { codesByField, formCodes } from '../../src/generated/domains/detail-codes.ts';

export interface GraphqlBody {
  data?: Record<string, unknown> | null;
  errors?: { path?: (string | number)[]; extensions?: { details?: { error: string }[] } }[];
}

interface TypedError {
  code?: string;
  field?: string | null;
}

/** Detail codes by root field: those of errors, and those that are data in the payload of a mutation. */
function observedCodes(query: string, { data, errors = [] }: GraphqlBody): [field: string, code: string][] {
  const thrown = errors.flatMap(({ path = [], extensions }) =>
    path.length === 1
      ? (extensions?.details ?? []).map(({ error }): [string, string] => [String(path[0]), error])
      : [],
  );
  const payloads = /^\s*mutation\b/.test(query) ? Object.entries(data ?? {}) : [];
  const returned = payloads.flatMap(([field, payload]) => {
    const { errors: typed } = (payload ?? {}) as { errors?: unknown };
    // Errors without details have no field.
    return Array.isArray(typed)
      ? typed.flatMap(({ code, field: path }: TypedError): [string, string][] =>
          code && path != null ? [[field, code]] : [],
        )
      : [];
  });
  return [...thrown, ...returned];
}

/** Throws if a root field returned a detail code that its description does not list. Fields under an alias are not checked. */
export function assertCodesAreListed(query: string, body: GraphqlBody): void {
  for (const [field, code] of observedCodes(query, body)) {
    const listed = codesByField[field];
    if (listed && ![...listed, ...formCodes].some((listedCode) => listedCode === code))
      throw new Error(`${field} returned ${code}, which its description does not list.`);
  }
}
