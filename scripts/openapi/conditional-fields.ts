/** Conditionally required fields, as JSON Schema: rules of zod schemas that involve several fields. */
import type { JsonSchema } from './json-schema.ts';

interface Condition {
  /** Applies to inputs with this value, or without all of these fields. */
  when: { field: string; is: string } | { absent: readonly string[] };
  requires: readonly string[];
}

/** By input type. A test compares each condition with the gateway. */
const conditions: Readonly<Record<string, readonly Condition[]>> = {
  LoginInput: [
    { when: { absent: ['email'] }, requires: ['provider'] },
    { when: { field: 'provider', is: 'EMAIL' }, requires: ['email', 'password'] },
    { when: { field: 'provider', is: 'OAUTH_IDP' }, requires: ['code', 'originUrl'] },
  ],
  CreatePromoCodeInput: [
    { when: { absent: ['discount'] }, requires: ['type'] },
    { when: { field: 'type', is: 'PERCENTAGE' }, requires: ['bps'] },
    { when: { field: 'type', is: 'FIXED' }, requires: ['amount', 'currency'] },
  ],
  CreateEntryInput: [{ when: { absent: ['owner', 'ownedBy'] }, requires: ['collectionId'] }],
  CreateWebhookEndpointInput: [{ when: { absent: ['topics'] }, requires: ['events'] }],
};

/** Whether another field can replace this one, so that it is not always required. */
export const hasAlternative = (inputType: string, field: string): boolean =>
  (conditions[inputType] ?? []).some(({ when, requires }) => 'absent' in when && requires.includes(field));

/** `fields` are all fields of the type: linters report properties that a condition does not declare. */
export function conditionalRequirements(inputType: string, fields: readonly string[]): JsonSchema {
  const properties = Object.fromEntries(fields.map((field) => [field, {}]));
  const withFields = (required: readonly string[]) => ({ required, properties });
  const typeConditions = conditions[inputType];
  if (!typeConditions) return {};
  return {
    allOf: typeConditions.map(({ when, requires }) => ({
      if:
        'absent' in when
          ? { not: anyOf(when.absent.map((field) => withFields([field]))) }
          : { required: [when.field], properties: { ...properties, [when.field]: { const: when.is } } },
      // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword; the object is never awaited.
      then: withFields(requires),
    })),
  };
}

/** Linters report an `anyOf` with a single schema. */
const anyOf = (schemas: readonly JsonSchema[]) => (schemas.length === 1 ? schemas[0] : { anyOf: schemas });
