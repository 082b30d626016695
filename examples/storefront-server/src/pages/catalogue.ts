/** Product list with search, categories and paging, and the page of one product. Both are public: no token is sent. */
import { businessId, locale, market } from '../config.ts';
import { type CardFragment, CatalogueDocument, ProductPageDocument } from '../generated/graphql.ts';
import { send } from '../lib/gateway.ts';
import { type Html, html } from '../lib/html.ts';
import { alert, notFound, type Page, type View } from '../lib/page.ts';

const common = { businessId, locale, market };

const priceOf = ({ priceRange }: CardFragment): Html => {
  if (!priceRange) return html`<p class="soft">Not sold here</p>`;
  const [min, max] = [priceRange.min.formatted, priceRange.max.formatted];
  return html`<p class="price">${min === max ? min : html`${min} – ${max}`}</p>`;
};

const card = (product: CardFragment): Html =>
  html`<li class="card"><a href="/products/${product.slug}">${product.featuredImage && html`<img src="${product.featuredImage.url}" alt="" loading="lazy" width="320" height="320">`}<h2>${product.name}</h2></a>
${priceOf(product)}${product.priceRange && !product.availableForSale && html`<p class="soft">Sold out</p>`}</li>`;

export const list: Page = async ({ url }) => {
  const search = url.searchParams.get('q') ?? '';
  const category = url.searchParams.get('category') ?? '';
  const { business, products } = await send(CatalogueDocument, {
    ...common,
    search: search || undefined,
    filter: { market, ...(category ? { categories: [category] } : {}) },
    after: url.searchParams.get('after') ?? undefined,
  });
  const linkTo = (changes: Record<string, string>) => {
    const query = new URLSearchParams(
      Object.entries({ q: search, category, ...changes }).filter(([, value]) => value !== ''),
    ).toString();
    return query ? `/?${query}` : '/';
  };
  const { facets, nodes, pageInfo, totalCount } = products;
  return {
    title: search ? `Search: ${search}` : category || 'All products',
    body: html`<h1>${business?.name}</h1>
<form class="search" role="search" action="/"><label for="q">Search</label>
<div class="row"><input id="q" name="q" type="search" value="${search}">${category && html`<input type="hidden" name="category" value="${category}">`}<button>Search</button></div></form>
<nav class="categories" aria-label="Categories"><a href="${linkTo({ category: '' })}"${!category && html` aria-current="page"`}>All</a> ${facets.categoryTree.map(
      ({ category: { slug, name }, count }) =>
        html`<a href="${linkTo({ category: slug })}"${slug === category && html` aria-current="page"`}>${name} <span class="soft">${count}</span></a> `,
    )}</nav>
<p role="status">${totalCount} ${totalCount === 1 ? 'product' : 'products'}</p>
${
  totalCount === 0
    ? html`<p>Nothing matches. <a href="/">See all products</a></p>`
    : html`<ul class="grid">${nodes.map(card)}</ul>`
}
${pageInfo.hasNextPage && html`<p><a class="button" href="${linkTo({ after: pageInfo.endCursor ?? '' })}">More products</a></p>`}`,
  };
};

interface ProductState {
  isAdded?: boolean;
  /** Why the product was not added to the cart. */
  error?: readonly string[];
}

export async function renderProduct(slug: string, { isAdded, error }: ProductState): Promise<View> {
  const { product } = await send(ProductPageDocument, { ...common, slug });
  if (!product) return notFound;
  const variants = product.variants.map(({ id, name, inStock, pricing }) => ({
    id,
    name,
    inStock,
    price: pricing.markets.find(({ marketId }) => marketId === market)?.priceMoney.formatted,
  }));
  const firstForSale = variants.find(({ inStock, price }) => inStock && price);
  return {
    ...(error ? { status: 422 } : {}),
    title: product.name,
    description: product.description,
    body: html`<div class="halves"><div>${product.featuredImage && html`<img class="large" src="${product.featuredImage.url}" alt="${product.featuredImage.alt}" width="640" height="640">`}</div>
<div><h1>${product.name}</h1>${priceOf(product)}<p>${product.description}</p>
${error && alert(...error)}${isAdded && html`<p class="good" role="status">It is in your cart. <a href="/cart">Go to your cart</a></p>`}
${
  firstForSale
    ? html`<form method="post" action="/cart/add"><input type="hidden" name="productId" value="${product.id}"><input type="hidden" name="slug" value="${product.slug}">
<fieldset><legend>Choose one</legend>${variants.map(
        ({ id, name, inStock, price }) =>
          html`<label class="choice"><input type="radio" name="variantId" value="${id}" required${id === firstForSale.id && html` checked`}${(!inStock || !price) && html` disabled`}> ${name} <span class="soft">${inStock ? price : 'sold out'}</span></label>`,
      )}</fieldset>
<div class="field"><label for="quantity">Quantity</label><input id="quantity" name="quantity" type="number" min="1" max="99" value="1" required></div>
<button class="main">Add to cart</button></form>`
    : product.priceRange && html`<p class="soft">Sold out at the moment.</p>`
}</div></div>`,
  };
}

export const productPage: Page = ({ slug, url }) =>
  renderProduct(slug, { isAdded: url.searchParams.has('added') });
