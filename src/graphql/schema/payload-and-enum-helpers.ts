/** Helpers for schema types: mutation payloads and described enum values. */
import type { ObjectRef } from '@pothos/core';
import type { Context } from '../../context.ts';
import { builder } from './builder.ts';

/** Payload type of a mutation with one field, `key`: the record after the change. */
export const createPayloadType = <Key extends string, T>(
  name: string,
  key: Key,
  type: ObjectRef<typeof builder.$inferSchemaTypes, T>,
) =>
  builder.objectRef<Record<Key, T>>(name).implement({
    description: 'Result of the mutation.',
    fields: (t) => ({
      [key]: t.field({
        type,
        description: 'The record after the change.',
        resolve: (payload) => payload[key] as never,
      }),
    }),
  });

/** Resolver of a mutation with such a payload, from its use case. */
export const asPayload =
  <Key extends string, Input, Result>(key: Key, useCase: (ctx: Context, input: Input) => Promise<Result>) =>
  async (ctx: Context, input: Input) =>
    ({ [key]: await useCase(ctx, input) }) as Record<Key, Result>;

/** Enum values with their descriptions, for `builder.enumType`. */
export const describedEnumValues = <Name extends string>(descriptions: Readonly<Record<Name, string>>) =>
  Object.fromEntries(
    Object.entries<string>(descriptions).map(([name, description]) => [name, { description }]),
  ) as Record<Name, { description: string }>;
