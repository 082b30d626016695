/** GraphQL fields of a product card that depend on the product alone: image, options, and the variant with given options. */
import { builder } from '../../graphql/schema/builder.ts';
import { outputFields } from '../../graphql/schema/field-tables.ts';
import { MediaGraphqlType } from '../shared/media-and-status-graphql-types.ts';
import { SelectedOptionInput } from './inputs.ts';
import {
  findFeaturedImage,
  findVariantByOptions,
  isInStock,
  listProductOptions,
  type ProductOption,
} from './read/select-variant.ts';
import { ProductGraphqlType, VariantGraphqlType } from './types.ts';

const ProductOptionGraphqlType = builder.objectRef<ProductOption>('ProductOption').implement({
  description: 'Attribute that the variants of a product differ in, with its values.',
  fields: outputFields({
    name: ['String!', 'Name of the attribute, such as `size`.'],
    values: ['[String!]!', 'Distinct values, in the order of the variants.'],
  }),
});

builder.objectFields(ProductGraphqlType, (t) => ({
  featuredImage: t.field({
    pure: true,
    type: MediaGraphqlType,
    nullable: true,
    description: 'First image of the product, otherwise of its variants; null without images.',
    resolve: findFeaturedImage,
  }),
  options: t.field({
    pure: true,
    type: [ProductOptionGraphqlType],
    description: 'Attributes of all variants with their values, such as all sizes and colours.',
    resolve: listProductOptions,
  }),
  variant: t.field({
    type: VariantGraphqlType,
    nullable: true,
    description: 'First variant that has all selected options; null if there is none.',
    args: {
      selectedOptions: t.arg({
        type: [SelectedOptionInput],
        required: true,
        description: 'Options, compared exactly with the attributes of the variants.',
      }),
    },
    resolve: (product, { selectedOptions }) => findVariantByOptions(product, selectedOptions),
  }),
}));

builder.objectField(VariantGraphqlType, 'inStock', (t) =>
  t.boolean({
    pure: true,
    description: 'Whether at least one unit is in stock; true if stock is not tracked.',
    resolve: isInStock,
  }),
);
