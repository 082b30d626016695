/** GraphQL types of usage. */
import { builder } from '../../graphql/schema/builder.ts';
import type { UsageKind } from '../../ports/usage.ts';
import type { UsageSummary } from './read-usage.ts';

export const UsageKindEnum = builder.enumType('UsageKind', {
  description: 'What is counted.',
  values: {
    OPERATION: { description: 'An operation of GraphQL, by the name its document gives it.' },
    FIELD: { description: 'A field or an argument, such as `Product.name` or `Query.products.first`.' },
    ROW: { description: 'A method and path of REST.' },
  } satisfies Record<UsageKind, object>,
});

export const UsageType = builder.objectRef<UsageSummary>('Usage').implement({
  description: 'How often an API key was used for something. Counted by day, kept for 90 days.',
  fields: (t) =>
    ({
      kind: t.expose('kind', { type: UsageKindEnum, description: 'What is counted.' }),
      name: t.exposeString('name', { description: 'Which operation, field or path.' }),
      client: t.exposeString('client', { description: 'Id of the API key.' }),
      keyName: t.exposeString('keyName', {
        nullable: true,
        description: 'What the key is called; absent once it is revoked.',
      }),
      userId: t.exposeID('userId', { nullable: true, description: 'Whose key it is.' }),
      userName: t.exposeString('userName', { nullable: true, description: 'What they are called today.' }),
      calls: t.expose('calls', { type: 'Float', description: 'How many calls used it.' }),
      lastAt: t.expose('lastAt', {
        type: 'Timestamp',
        description: 'When it was last used, to about ten seconds.',
      }),
    }) satisfies Record<keyof UsageSummary, unknown>,
});
