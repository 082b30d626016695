/** Payload types of mutations: one named field with the record after the change. */
import type { ObjectRef } from '@pothos/core';
import { builder } from './builder.ts';

export const createPayloadType = <Key extends string, T>(
  name: string,
  key: Key,
  type: ObjectRef<typeof builder.$inferSchemaTypes, T>,
) =>
  builder.objectRef<Record<Key, T>>(name).implement({
    description: 'The record after the change.',
    fields: (t) => ({
      [key]: t.field({ type, description: 'The record.', resolve: (payload) => payload[key] as never }),
    }),
  });

/** Values of an enum with what each of them means. */
export const enumValues = <Name extends string>(meanings: Readonly<Record<Name, string>>) =>
  Object.fromEntries(
    Object.entries<string>(meanings).map(([name, description]) => [name, { description }]),
  ) as Record<Name, { description: string }>;
