/** Readers of the extensions that Pothos sets on the fields and types of the schema. */
import { type GraphQLField, type GraphQLObjectType, type GraphQLSchema, isObjectType } from 'graphql';

interface PothosFieldExtensions<_Context> {
  pothosOptions?: Record<string, unknown>;
  pothosExposedField?: string;
  pothosResolveWrapped?: boolean;
  pothosSubscribeWrapped?: boolean;
}

const extensionsOf = <Context>({ extensions }: GraphQLField<unknown, Context>) =>
  extensions as PothosFieldExtensions<Context>;

/** Options that the field was declared with, including those of plugins; undefined for fields that are not declared with Pothos. */
export const getPothosFieldOptions = <Context>(
  field: GraphQLField<unknown, Context>,
): Readonly<Record<string, unknown>> | undefined => extensionsOf(field).pothosOptions;

/**
 * Property of the parent that the field exposes unchanged. `wrapped`: a plugin wraps the resolver, for example with an auth scope; true if
 * that is unknown, so that no scope is skipped.
 */
export function getPothosExposedProperty<Context>(field: GraphQLField<unknown, Context>): {
  property: string | undefined;
  wrapped: boolean;
} {
  const { pothosExposedField, pothosResolveWrapped = true } = extensionsOf(field);
  return { property: pothosExposedField, wrapped: pothosResolveWrapped };
}

/** Whether the type is declared from a Prisma model. */
const isPothosPrismaObject = (type: GraphQLObjectType): boolean => Boolean(type.extensions.pothosPrismaModel);

/**
 * Throws if Pothos does not set the extensions that decide who may see a field: a renamed extension would otherwise read as "no scopes".
 * Runs once, when the schema is built.
 */
export function assertPothosExtensions(schema: GraphQLSchema): void {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  const fields = types
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) =>
      Object.values(type.getFields()).map((field) => ({ name: `${type.name}.${field.name}`, field })),
    );
  for (const { name, field } of fields) {
    const { pothosOptions, pothosResolveWrapped, pothosSubscribeWrapped } = extensionsOf(field);
    if (pothosOptions === undefined || pothosResolveWrapped === undefined)
      throw new Error(`${name} has no options of Pothos: this version of @pothos/core is not supported.`);
    if (pothosOptions.authScopes && !pothosResolveWrapped && !pothosSubscribeWrapped)
      throw new Error(`${name} does not check its auth scopes: this version of Pothos is not supported.`);
  }
  const hasScopes = fields.some(({ field }) => extensionsOf(field).pothosOptions?.authScopes);
  const hasExposedFields = fields.some(({ field }) => extensionsOf(field).pothosExposedField);
  if (!hasScopes || !hasExposedFields || !types.some(isPothosPrismaObject))
    throw new Error(
      'The schema has no scopes, exposed fields or Prisma types: this version of Pothos is not supported.',
    );
}
