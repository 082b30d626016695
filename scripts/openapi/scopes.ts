/** Who may run a route: read off the scopes of its operation's root field. */
import type { PermissionScope } from '../../src/graphql/schema/auth-scopes.ts';
import type { ParsedRoute, SelectedField } from './selection.ts';

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
  return { rootField, scope: describeScopes(askScopes(options?.authScopes)) };
}

interface AskedScopes {
  signedIn?: boolean;
  account?: boolean;
  confirmed?: boolean;
  confirmedIn?: string;
  permission?: PermissionScope;
  business?: string;
}

/** Scopes that depend on arguments are asked with arguments that stand for any. */
function askScopes(scopes: unknown): AskedScopes | 'unknown' | undefined {
  if (scopes === undefined || scopes === null) return undefined;
  if (typeof scopes !== 'function') return scopes as AskedScopes;
  const anything: unknown = new Proxy({}, { get: () => '' });
  try {
    const answer: unknown = scopes(undefined, anything, anything);
    return typeof answer === 'object' && answer !== null && !(answer instanceof Promise)
      ? (answer as AskedScopes)
      : 'unknown';
  } catch {
    return 'unknown';
  }
}

function describeScopes(scopes: AskedScopes | 'unknown' | undefined): Scope {
  if (scopes === 'unknown') return { isPublic: false, text: '' };
  if (scopes === undefined || scopes.business !== undefined)
    return { isPublic: true, text: 'Open to everybody.' };
  const names = scopes.permission && [scopes.permission.name].flat();
  const needed = names?.map((name) => `\`${name}\``).join(' or ');
  if (scopes.account)
    return {
      isPublic: false,
      text: `Any token will do, a guest\u2019s too; ${needed ? `an API key with \`permissions\` needs ${needed}` : 'no API key with `permissions`'}.`,
    };
  if (names) {
    return { isPublic: false, permission: names[0] ?? '', text: `RequiredInputs the permission ${needed}.` };
  }
  if (scopes.confirmed || scopes.confirmedIn !== undefined)
    return { isPublic: false, text: 'RequiredInputs an account; guests may not.' };
  return { isPublic: false, text: 'Any token will do, a guest\u2019s too.' };
}
