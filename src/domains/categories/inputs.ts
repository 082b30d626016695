/** GraphQL input types of categories. Validation rules beyond the types are in schemas.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import { MediaInput } from '../shared/media-and-status-graphql-types.ts';
import type { CreateCategoryArgs } from './schemas.ts';

const CategoryTranslationInput = builder.inputType('CategoryTranslationInput', {
  description: 'Texts of a category in one locale.',
  fields: (t) => ({
    locale: t.string({ required: true, description: 'Locale, such as `de` or `de-AT`.' }),
    name: t.string({ description: 'Name in this locale. Default: the name of the category.' }),
    description: t.string({ description: 'Text in this locale. Default: the description of the category.' }),
  }),
});

type Fields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const categoryFields = (t: Fields) =>
  ({
    slug: t.string({
      description:
        'Any text, unique in the business: products with this text as their `category` belong to it. Default on create: derived from the name. Fixed while products or tax rates have it.',
    }),
    parentId: t.id({
      description: 'Id or slug of the parent; null for the top level. The tree has at most 8 levels.',
    }),
    position: t.int({
      description:
        'Order among the categories with the same parent; equal positions sort by age. Default for a new or moved category: last.',
    }),
    description: t.string({ description: 'Text for customers, up to 50,000 characters.' }),
    translations: t.field({
      type: [CategoryTranslationInput],
      description: 'Texts in other locales; an update replaces the whole list. At most 200.',
    }),
    image: t.field({ type: MediaInput, description: 'Picture; null removes it.' }),
  }) satisfies Record<Exclude<keyof CreateCategoryArgs['input'], 'name'>, unknown>;

const nameDescription = 'Name, up to 200 characters.';

export const CreateCategoryInput = builder.inputType('CreateCategoryInput', {
  description: 'Fields of a new category.',
  fields: (t) => ({ name: t.string({ required: true, description: nameDescription }), ...categoryFields(t) }),
});

export const UpdateCategoryInput = builder.inputType('UpdateCategoryInput', {
  description: 'Fields to update; omitted fields keep their value.',
  fields: (t) => ({ name: t.string({ description: nameDescription }), ...categoryFields(t) }),
});
