/** What records have in common, so that clients can treat them alike. */
import { builder } from './builder.ts';

/** Which type a record is: a symbol, so that no field of the record can be mistaken for it. */
export const nodeType: unique symbol = Symbol('type of node');

export const NodeInterface = builder.interfaceRef<{ id: string }>('Node').implement({
  description: 'A record that `node` finds by its id alone.',
  resolveType: (record) => (record as { [nodeType]?: string })[nodeType],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the record, unique among all of them.' }),
  }),
});

export const Timestamped = builder
  .interfaceRef<{ createdAt: number | bigint; updatedAt: number | bigint }>('Timestamped')
  .implement({
    description: 'A record that says when it was made and changed.',
    fields: (t) => ({
      createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was created.' }),
      updatedAt: t.expose('updatedAt', { type: 'Timestamp', description: 'When it was last changed.' }),
    }),
  });

export const Versioned = builder.interfaceRef<{ version: number }>('Versioned').implement({
  description: 'A record that counts its changes.',
  fields: (t) => ({
    version: t.exposeInt('version', {
      description: 'Grows with every change; send it back to guard an update.',
    }),
  }),
});
