/** What some requests need and others do not: the rules that checks apply to several fields together. */
import type { JsonSchema } from './json-schema.ts';

interface Condition {
  /** Applies to requests with this value, or with none of these fields. */
  when: { field: string; is: string } | { absent: readonly string[] };
  needs: readonly string[];
}

/** By input type; a test holds each of them against the gateway. */
const conditions: Readonly<Record<string, readonly Condition[]>> = {
  LoginInput: [
    { when: { absent: ['email'] }, needs: ['provider'] },
    { when: { field: 'provider', is: 'EMAIL' }, needs: ['email', 'password'] },
    { when: { field: 'provider', is: 'OAUTH_IDP' }, needs: ['code', 'originUrl'] },
  ],
  CreatePromoCodeInput: [
    { when: { absent: ['discount'] }, needs: ['type'] },
    { when: { field: 'type', is: 'PERCENTAGE' }, needs: ['bps'] },
    { when: { field: 'type', is: 'FIXED' }, needs: ['amount', 'currency'] },
  ],
  CreateEntryInput: [{ when: { absent: ['owner', 'ownedBy'] }, needs: ['collectionId'] }],
  CreateWebhookEndpointInput: [{ when: { absent: ['topics'] }, needs: ['events'] }],
};

/** Whether something else may stand in for a field, so that it is not needed always. */
export const mayBeReplaced = (inputType: string, field: string): boolean =>
  (conditions[inputType] ?? []).some(({ when, needs }) => 'absent' in when && needs.includes(field));

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
          ? { not: anyOf(when.absent.map((field) => having([field]))) }
          : { required: [when.field], properties: { ...properties, [when.field]: { const: when.is } } },
      // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so, and nobody awaits a schema.
      then: having(needs),
    })),
  };
}

/** Linters do not like a choice of one. */
const anyOf = (choices: readonly JsonSchema[]) => (choices.length === 1 ? choices[0] : { anyOf: choices });
