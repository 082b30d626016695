/** GraphQL types of categories. */
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection-types.ts';
import { outputFields } from '../../graphql/schema/field-tables.ts';
import {
  NodeGraphqlInterface,
  TimestampedGraphqlInterface,
  VersionedGraphqlInterface,
} from '../../graphql/schema/node-timestamped-and-versioned-interfaces.ts';
import { findTextInLocale } from '../blocks/localized-text.ts';
import { MediaGraphqlType } from '../shared/media-and-status-graphql-types.ts';
import type { Category, CategoryTranslation } from './model.ts';
import { loadCategory } from './read/load-categories.ts';
import { loadAncestorCategories, loadChildCategories } from './read/load-category-relatives.ts';

const CategoryTranslationGraphqlType = builder
  .objectRef<CategoryTranslation>('CategoryTranslation')
  .implement({
    description: 'Texts of a category in one locale.',
    fields: outputFields({
      locale: ['String!', 'Locale, such as `de`.'],
      name: ['String', 'Name; null without a translation.'],
      description: ['String', 'Text for customers; null without a translation.'],
    }),
  });

/** Text in the locale or its language, else the text of the category itself. */
function localizedText(category: Category, field: 'name' | 'description', locale: string | null | undefined) {
  if (!locale) return category[field];
  const language = locale.split(/[-_]/)[0]?.toLowerCase();
  const texts = category.translations.flatMap((translation) =>
    translation[field] !== undefined && translation.locale.split(/[-_]/)[0]?.toLowerCase() === language
      ? [[translation.locale, translation[field]]]
      : [],
  );
  return findTextInLocale(Object.fromEntries(texts), locale) ?? category[field];
}

const localeArg = {
  description: 'Locale to read. Falls back to its language, then to the text of the category itself.',
};

/** Cost of a list of children, whose length has no argument. */
const childrenCost = { field: 5, multiplier: 10 };

export const CategoryGraphqlType = builder.objectRef<Category>('Category');
CategoryGraphqlType.implement({
  interfaces: [NodeGraphqlInterface, TimestampedGraphqlInterface, VersionedGraphqlInterface],
  description: 'Category of products, a node of the category tree of a business.',
  fields: outputFields((t) => ({
    id: ['ID!', 'Id of the category.'],
    businessId: ['ID!', 'Id of the business.'],
    parentId: ['ID', 'Id of the parent; null at the top level.'],
    slug: ['String!', 'Slug, unique in the business: the `category` of its products.'],
    name: t.string({
      description: 'Name for customers, such as in a menu.',
      args: { locale: t.arg.string(localeArg) },
      resolve: (category, { locale }) => localizedText(category, 'name', locale),
    }),
    description: t.string({
      description: 'Text for customers; may be empty.',
      args: { locale: t.arg.string(localeArg) },
      resolve: (category, { locale }) => localizedText(category, 'description', locale),
    }),
    translations: t.expose('translations', {
      type: [CategoryTranslationGraphqlType],
      description: 'Texts in other locales.',
    }),
    image: [MediaGraphqlType, 'Picture; null without one.'],
    position: ['Int!', 'Order among the categories with the same parent; equal positions sort by age.'],
    parent: t.field({
      type: CategoryGraphqlType,
      nullable: true,
      description: 'Parent; null at the top level.',
      complexity: 5,
      resolve: ({ parentId }, _args, ctx) => (parentId === undefined ? null : loadCategory(ctx, parentId)),
    }),
    ancestors: t.field({
      type: [CategoryGraphqlType],
      description: 'Ancestors from the top level down, such as for breadcrumbs.',
      complexity: { field: 5, multiplier: 4 },
      resolve: (category, _args, ctx) => loadAncestorCategories(ctx, category),
    }),
    children: t.field({
      type: [CategoryGraphqlType],
      description: 'Direct sub-categories in their order.',
      complexity: childrenCost,
      resolve: ({ id }, _args, ctx) => loadChildCategories(ctx, id),
    }),
  })),
});

export const CategoryConnection = createConnectionType('Category', CategoryGraphqlType);
