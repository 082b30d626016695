/** Pothos plugin that limits what resolvers receive: a field with the option `pure` only its parent, a root query field no `info`. */
import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLField } from 'graphql';
import { getPothosExposedProperty } from '../../vendor/pothos/field-extensions.ts';

declare global {
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      resolverInputs: ResolverInputsPlugin<Types>;
    }
    interface FieldOptions {
      /**
       * The value depends on the parent alone: neither on viewer, arguments, database nor clock. The resolver receives only the parent.
       * Pure fields may be part of JSON that is rendered once and sent to many viewers.
       */
      pure?: boolean;
    }
  }
}

export const resolverInputsPluginName = 'resolverInputs';

const pureKey = 'duetPureField';

/** Extensions of a pure field that is added to the built schema. */
export const pureFieldExtensions: Readonly<Record<string, unknown>> = { [pureKey]: true };
const rootResolverKey = 'duetRootResolver';

class ResolverInputsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { kind, name, args, pothosOptions, extensions } = config;
    const resolve = config.resolve as AnyResolver | undefined;
    if (pothosOptions.pure) {
      if (!resolve || Object.keys(args).length > 0)
        throw new Error(`${config.parentType}.${name}: a pure field has a resolver and no arguments.`);
      const read: PureFieldReader = (parent) => resolve(parent);
      return { ...config, resolve: read, extensions: { ...extensions, [pureKey]: true } };
    }
    if (kind !== 'Query' || !resolve) return config;
    return {
      ...config,
      resolve: (root: unknown, args: object, ctx: object) => resolve(root, args, ctx),
      extensions: { ...extensions, [rootResolverKey]: resolve },
    };
  }
}

type AnyResolver = (...inputs: unknown[]) => unknown;
type RootResolver = (root: unknown, args: object, ctx: object) => unknown;

// One process may load the sources several times, but Pothos only once.
SchemaBuilder.allowPluginReRegistration = true;
SchemaBuilder.registerPlugin(resolverInputsPluginName, ResolverInputsPlugin);

/** Resolver of a root query field without the wrappers of plugins, such as auth scopes. Callers pass no `info`. */
export const rootResolverOf = (field: GraphQLField<unknown, never>) =>
  field.extensions[rootResolverKey] as RootResolver | undefined;

export type PureFieldReader = (parent: unknown) => unknown;

/** Reads the value of a pure or exposed field from its parent. Undefined: the field has to be resolved. */
export function pureReaderOf(field: GraphQLField<unknown, never>): PureFieldReader | undefined {
  const { property, wrapped } = getPothosExposedProperty(field);
  if (field.args.length > 0 || wrapped) return undefined;
  if (property !== undefined) return (parent) => (parent as Record<string, unknown>)[property];
  return field.extensions[pureKey] ? (field.resolve as PureFieldReader) : undefined;
}
