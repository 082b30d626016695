/** Layout of customer pages such as payment, unsubscribe and account confirmation. No third-party files, no cookies, no caching. */
import { createHash } from 'node:crypto';
import { chooseReadableTextColour } from '../../../domains/branding/colour-contrast.ts';
import type { ShopBrand } from '../../../domains/branding/model.ts';
import { type HttpResponse, htmlResponse } from '../../../http-message.ts';
import { Html, type PageHeaderShop, renderPageFrame, safeHtml } from '../html-template-and-page-frame.ts';
import { createCspHeaders } from '../http-page.ts';
import { createPageAsset } from '../page-assets.ts';

export const customerStyle = createPageAsset(
  'customers.css',
  'text/css; charset=utf-8',
  `.one,.two{max-width:60rem;margin:0 auto;padding:2rem 1rem;display:grid;gap:1.5rem}
@media (min-width:48rem){.two{grid-template-columns:1fr 1fr;padding-top:3rem;gap:3rem}.one{padding-top:3rem}}
.one{max-width:34rem;overflow-wrap:anywhere}
h1{font-size:1rem;font-weight:600;margin:0;color:var(--soft)}.card h1{font-size:1.25rem;color:inherit;margin-bottom:.75rem}
h2{font-size:1.125rem;margin:0 0 1rem}
.total{font-size:2.25rem;font-weight:700;margin:.25rem 0 1.5rem;font-variant-numeric:tabular-nums}
table{width:100%;border-collapse:collapse}
td{padding:.625rem 0;border-bottom:1px solid var(--line);vertical-align:top}
td:last-child{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap;padding-left:1rem}
tr.sum td{border:0;font-weight:600;padding-top:1rem}
.quantity{color:var(--soft)}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.5rem}
dl{display:grid;grid-template-columns:1fr auto;gap:.5rem 1rem;margin:0 0 1.5rem}
dt{color:var(--soft)}dd{margin:0;text-align:right;font-variant-numeric:tabular-nums}
form{display:grid;gap:.75rem}
button,a.button{font:inherit;font-weight:600;text-align:center;text-decoration:none;padding:.75rem 1rem;border-radius:.5rem;border:1px solid var(--line);background:transparent;color:var(--ink);cursor:pointer}
button.main,a.button{background:var(--accent);border-color:var(--accent);color:var(--accent-ink)}
label{display:grid;gap:.25rem}
label.choice{display:flex;gap:.5rem;align-items:center}[hidden]{display:none!important}
input{font:inherit;padding:.6rem .75rem;border:1px solid var(--line);border-radius:.5rem;background:transparent;color:inherit}
button:disabled{opacity:.5}
button:focus-visible,a:focus-visible,input:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.logo{height:40px;max-width:14rem;object-fit:contain;object-position:left}
.one>div{display:grid;gap:1.5rem}summary{cursor:pointer}.more{margin-top:1rem}.more form{margin-top:.75rem}
.list{list-style:none;margin:0;padding:0}.list li{display:flex;gap:1rem;justify-content:space-between;align-items:center;padding:.625rem 0;border-top:1px solid var(--line)}.list li:first-child{border-top:0}.list li>:first-child{flex:1;min-width:0}.list details{margin-top:.25rem}
.list button,.buttons button{padding:.35rem .75rem;font-weight:500}.list button{flex:none}.buttons{margin:1rem 0 0}.list+button{margin-top:.75rem}
.note{color:var(--soft);font-size:.875rem;margin:1rem 0 0}
.alert{background:var(--warn-paper);color:var(--warn);border-radius:.5rem;padding:.75rem 1rem;margin:0 0 1rem}
.good{color:var(--ok);font-weight:600;margin:0}.good:not(:empty)::before{content:"✓ "}.alert:empty,.good:empty{display:none}
`,
);

const hashOf = (inline: string) => `'sha256-${createHash('sha256').update(inline).digest('base64')}'`;

/** The path of the logo only: the gateway serves it. */
const toPageShop = (brand: ShopBrand): PageHeaderShop => ({
  name: brand.name,
  logoUrl: brand.logo && new URL(brand.logo.url, 'http://localhost').pathname,
  url: brand.shopUrl,
  css: brand.hasColours ? renderBrandCss(brand) : undefined,
});

/** Colours are validated `#rrggbb`. Text on the background has its own computed colour, because the card keeps the palette of the page. */
function renderBrandCss({ accent, background }: ShopBrand): string {
  const ink = chooseReadableTextColour(background);
  return (
    `:root{--accent:${accent};--accent-ink:${chooseReadableTextColour(accent)}}body{background:${background}}` +
    `button.main,a.button{border-color:var(--line)}.foot a,.foot a:hover{color:${ink}}` +
    '.card a:not(.button){color:inherit}button:focus-visible,a:focus-visible,input:focus-visible{outline-color:currentColor}'
  );
}

interface CustomerPageOptions {
  status?: number;
  /** Shop in the header, with its colours. */
  brand?: ShopBrand | undefined;
  /** Name in the header of pages without a brand. */
  businessName?: string | undefined;
  /** Origins to which a form of the page may be redirected (CSP form-action). */
  formTargets?: readonly string[];
  /** Inline script, allowed by its hash in the policy. */
  script?: string;
}

/** Sets no Cross-Origin-Opener-Policy, so that a shop may open the page in a popup. */
export function renderCustomerPage(
  title: string,
  body: Html,
  { status = 200, brand, businessName = '', formTargets = [], script }: CustomerPageOptions = {},
): HttpResponse {
  const shop = brand ? toPageShop(brand) : { name: businessName };
  return htmlResponse(
    status,
    renderPageFrame(
      { title, styles: [customerStyle.href], shop },
      safeHtml`${body}${script !== undefined && safeHtml`<script>${new Html(script)}</script>`}`,
    ),
    {
      ...createCspHeaders({
        'script-src': script === undefined ? "'none'" : hashOf(script),
        'style-src': shop.css === undefined ? "'self'" : `'self' ${hashOf(shop.css)}`,
        'form-action': ["'self'", ...new Set(formTargets)].join(' '),
      }),
      'cache-control': 'no-store',
    },
  );
}

/** Page with a single card. */
export const renderCardPage = (title: string, body: Html, options?: CustomerPageOptions): HttpResponse =>
  renderCustomerPage(
    title,
    safeHtml`<div class="one"><section class="card"><h1>${title}</h1>${body}</section></div>`,
    options,
  );

/** Way back to the shop, if its address is known. */
export const renderShopLink = ({ name, shopUrl }: ShopBrand): Html | false =>
  shopUrl !== undefined &&
  safeHtml`<p><a class="button" href="${shopUrl}" rel="noreferrer">Back to ${name || 'the shop'}</a></p>`;
