/** What some requests need and others do not: the rules that checks apply to several fields together. */
import type { JsonSchema } from './json-schema.ts';

interface Condition {
  /** Applies to requests with this value, or without this field. */
  when: { field: string; is: string } | { absent: string };
  needs: readonly string[];
}

/** By input type; a test holds each of them against the gateway. */
const conditions: Readonly<Record<string, readonly Condition[]>> = {
  LoginInput: [
    { when: { field: 'provider', is: 'EMAIL' }, needs: ['email', 'password'] },
    { when: { field: 'provider', is: 'OAUTH_IDP' }, needs: ['code', 'originUrl'] },
  ],
  CreatePromoCodeInput: [
    { when: { field: 'type', is: 'PERCENTAGE' }, needs: ['bps'] },
    { when: { field: 'type', is: 'FIXED' }, needs: ['amount', 'currency'] },
  ],
  CreateEntryInput: [{ when: { absent: 'owner' }, needs: ['collectionId'] }],
};

/** `fields` are all that the type has: linters take what a condition does not name for a mistake. */
export function conditionsOf(inputType: string, fields: readonly string[]): JsonSchema {
  const properties = Object.fromEntries(fields.map((field) => [field, {}]));
  const having = (required: readonly string[]) => ({ required, properties });
  const found = conditions[inputType];
  if (!found) return {};
  return {
    allOf: found.map(({ when, needs }) => ({
      if:
        'absent' in when
          ? { not: having([when.absent]) }
          : { required: [when.field], properties: { ...properties, [when.field]: { const: when.is } } },
      // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so, and nobody awaits a schema.
      then: having(needs),
    })),
  };
}
