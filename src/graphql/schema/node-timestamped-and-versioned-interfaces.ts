/** GraphQL interfaces that records share: Node, Timestamped, Versioned. */
import { builder } from './builder.ts';

/** Property with the type name of a record; a symbol, so that it cannot collide with a field. */
export const nodeTypeSymbol: unique symbol = Symbol('type of node');

export const NodeGraphqlInterface = builder.interfaceRef<{ id: string }>('Node').implement({
  description: 'A record that `node` finds by its id.',
  resolveType: (record) => (record as { [nodeTypeSymbol]?: string })[nodeTypeSymbol],
  fields: (t) => ({ id: t.exposeID('id', { description: 'Id of the record, unique across all types.' }) }),
});

export const TimestampedGraphqlInterface = builder
  .interfaceRef<{ createdAt: number | bigint; updatedAt: number | bigint }>('Timestamped')
  .implement({
    description: 'A record with the times of its creation and last change.',
    fields: (t) => ({
      createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'Time of creation.' }),
      updatedAt: t.expose('updatedAt', { type: 'Timestamp', description: 'Time of the last change.' }),
    }),
  });

export const VersionedGraphqlInterface = builder.interfaceRef<{ version: number }>('Versioned').implement({
  description: 'A record with a version for optimistic locking.',
  fields: (t) => ({
    version: t.exposeInt('version', {
      description: 'Increases with every change; send it with an update to reject concurrent changes.',
    }),
  }),
});
