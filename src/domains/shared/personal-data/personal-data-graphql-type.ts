/** GraphQL type `PersonalData`: the personal data export of the viewer. Each domain adds the fields for its own data. */
import { builder } from '../../../graphql/schema/builder.ts';
import { outputFields } from '../../../graphql/schema/field-tables.ts';

/** The person whose data is exported: the viewer. */
export interface PersonalDataOwner {
  userId: string;
  /** Undefined until it is confirmed: an unconfirmed address may belong to another person. */
  email: string | undefined;
  exportedAt: number;
}

export const maxPersonalDataItems = 5000;

export const PersonalDataGraphqlType = builder.objectRef<PersonalDataOwner>('PersonalData').implement({
  description: `Personal data of the viewer, with the newest ${maxPersonalDataItems} items per kind. Older items are in the list of that kind.`,
  fields: outputFields((t) => ({
    exportedAt: ['Timestamp!', 'Time of the export.'],
    mostOfEach: t.int({
      description: 'Maximum number of items per kind; a list of this length may be truncated.',
      resolve: () => maxPersonalDataItems,
    }),
  })),
});

/** High cost, so that the complexity limit admits few of these lists per request. */
export const personalDataListCost = { field: 1, multiplier: 100 };
