/** Payload types of mutations: one named field with the record after the change. */
import type { ObjectRef } from '@pothos/core';
import { builder } from './builder.ts';

export const payloadOf = <Key extends string, T>(
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
