/** Access rule of a route, from the scopes of its operation's root field. */
import type { PermissionScope } from '../../src/graphql/schema/auth-scopes.ts';
import type { ParsedRoute, SelectedField } from '../../src/rest/route-with-parsed-operation.ts';

export interface Scope {
  isPublic: boolean;
  permission?: string;
  text: string;
}

export function scopeOf({ route, selection, root, operation }: ParsedRoute): {
  rootField: SelectedField;
  scope: Scope;
} {
  const [rootField] = selection.fieldsOf(root, [operation.selectionSet]);
  if (!rootField) throw new Error(`${route.method} ${route.path} selects nothing.`);
  const options = rootField.field.extensions.pothosOptions as { authScopes?: unknown } | undefined;
  return { rootField, scope: describeScopes(evaluateScopes(options?.authScopes)) };
}

export interface EvaluatedScopes {
  signedIn?: boolean;
  account?: boolean;
  confirmed?: boolean;
  confirmedIn?: string;
  permission?: PermissionScope;
  business?: string;
  publicRead?: string;
}

/** Calls scopes that depend on arguments or context with placeholders. */
export function evaluateScopes(scopes: unknown): EvaluatedScopes | 'unknown' | undefined {
  if (scopes === undefined || scopes === null) return undefined;
  if (typeof scopes !== 'function') return scopes as EvaluatedScopes;
  const placeholder: unknown = new Proxy({}, { get: () => '' });
  try {
    const result: unknown = scopes(undefined, placeholder, placeholder);
    return typeof result === 'object' && result !== null && !(result instanceof Promise)
      ? (result as EvaluatedScopes)
      : 'unknown';
  } catch {
    return 'unknown';
  }
}

function describeScopes(scopes: EvaluatedScopes | 'unknown' | undefined): Scope {
  if (scopes === 'unknown') return { isPublic: false, text: '' };
  if (scopes === undefined || scopes.business !== undefined)
    return { isPublic: true, text: 'No authentication required.' };
  const names = scopes.permission && [scopes.permission.name].flat();
  const permissions = names?.map((name) => `\`${name}\``).join(' or ');
  if (scopes.account)
    return {
      isPublic: false,
      text: `Requires any token, including that of a guest; ${permissions ? `an API key with \`permissions\` needs ${permissions}` : 'API keys with `permissions` are rejected'}.`,
    };
  if (names) {
    return { isPublic: false, permission: names[0] ?? '', text: `Requires the permission ${permissions}.` };
  }
  if (scopes.confirmed || scopes.confirmedIn !== undefined)
    return { isPublic: false, text: 'Requires an account; guests are rejected.' };
  const alternative = scopes.publicRead === undefined ? '' : ', or a business with `publicRead`';
  return { isPublic: false, text: `Requires any token, including that of a guest${alternative}.` };
}
