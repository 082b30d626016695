/** GraphQL input types of categories. Validation rules beyond the types are in schemas.ts. */
import { builder } from '../../graphql/schema/builder.ts';
import { inputFields } from '../../graphql/schema/field-tables.ts';
import { MediaInput } from '../shared/media-and-status-graphql-types.ts';
import type { CreateCategoryArgs } from './schemas.ts';

const CategoryTranslationInput = builder.inputType('CategoryTranslationInput', {
  description: 'Texts of a category in one locale.',
  fields: inputFields({
    locale: ['String!', 'Locale, such as `de` or `de-AT`.'],
    name: ['String', 'Name in this locale. Default: the name of the category.'],
    description: ['String', 'Text in this locale. Default: the description of the category.'],
  }),
});

const categoryFields = {
  slug: [
    'String',
    'Any text, unique in the business: products with this text as their `category` belong to it. Default on create: derived from the name. Fixed while products or tax rates have it.',
  ],
  parentId: ['ID', 'Id or slug of the parent; null for the top level. The tree has at most 8 levels.'],
  position: [
    'Int',
    'Order among the categories with the same parent; equal positions sort by age. Default for a new or moved category: last.',
  ],
  description: ['String', 'Text for customers, up to 50,000 characters.'],
  translations: [
    [CategoryTranslationInput],
    'Texts in other locales; an update replaces the whole list. At most 200.',
  ],
  image: [MediaInput, 'Picture; null removes it.'],
} as const satisfies Record<Exclude<keyof CreateCategoryArgs['input'], 'name'>, unknown>;

const nameDescription = 'Name, up to 200 characters.';

export const CreateCategoryInput = builder.inputType('CreateCategoryInput', {
  description: 'Fields of a new category.',
  fields: inputFields({ name: ['String!', nameDescription], ...categoryFields }),
});

export const UpdateCategoryInput = builder.inputType('UpdateCategoryInput', {
  description: 'Fields to update; omitted fields keep their value.',
  fields: inputFields({ name: ['String', nameDescription], ...categoryFields }),
});
