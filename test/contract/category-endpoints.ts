/** Endpoints of categories, which the gateway adds to the contract. */
const category = {
  id: 'string',
  businessId: 'string',
  parentId: 'string?',
  slug: 'string',
  name: 'string',
  description: 'string?',
  position: 'integer',
  version: 'integer',
  createdAt: 'integer',
  updatedAt: 'integer',
} as const;

const fields = ['name', 'slug', 'parentId', 'position', 'description', 'translations', 'image'] as const;
const path = '/v1/businesses/{businessId}/categories';

export const categoryEndpoints = {
  [`POST ${path}`]: { body: fields, answers: [category] },
  [`GET ${path}`]: {
    query: ['limit', 'cursor', 'parentId', 'topLevel', 'locale'],
    answers: [{ items: [category], cursor: 'string' }],
  },
  [`GET ${path}/{id}`]: { query: ['locale'], answers: [category] },
  [`PUT ${path}/{id}`]: { body: fields, answers: [category] },
  [`PATCH ${path}/{id}`]: { body: fields, answers: [category] },
  [`DELETE ${path}/{id}`]: { query: ['force'], answers: ['Deleted'] },
  [`GET ${path}/{id}/products`]: {
    query: ['limit', 'cursor', 'includeSubcategories', 'status', 'query', 'sort'],
    answers: [{ items: ['Product'], cursor: 'string' }],
  },
} as const;
