/** HTML template tag that escapes interpolated values, and the frame of all pages. */
import { escapeHtml } from '../../lib/text/escape-text.ts';
import { sharedPageAssets } from './page-assets.ts';

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | false | null | undefined | readonly Part[];

function renderPart(part: Part): string {
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(renderPart).join('');
  if (part === false || part === null || part === undefined) return '';
  return escapeHtml(String(part));
}

export const safeHtml = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(strings.reduce((text, string, index) => text + string + renderPart(parts[index]), ''));

interface PageFrameOptions {
  title: string;
  /** Stylesheets in addition to the common one. */
  styles?: readonly string[];
  scripts?: readonly string[];
  /** Path of the current page, marked in the navigation. */
  at?: string;
  /** Content of the header after the navigation. */
  aside?: Html;
  /** The content contains its own main landmark. */
  hasMain?: boolean;
  /** For customer pages, which have no developer links. */
  shop?: PageHeaderShop;
}

/** The shop in the header of a customer page. */
export interface PageHeaderShop {
  /** Empty if there is none. */
  name: string;
  logoUrl?: string | undefined;
  /** URL of the shop. */
  url?: string | undefined;
  /** Stylesheet with the colours of the shop. */
  css?: string | undefined;
}

const navigation = [
  ['/', 'Start'],
  ['/docs', 'REST reference'],
  ['/graphql', 'GraphiQL'],
  ['/migrate', 'REST to GraphQL'],
  ['/workbench', 'Workbench'],
  ['/guide', 'Guide'],
] as const;

const link = ([href, name]: readonly [string, string], at?: string) =>
  safeHtml`<a href="${href}"${href === at ? new Html(' aria-current="page"') : ''}>${name}</a> `;

const duetMark = safeHtml`<img src="${sharedPageAssets.icon.href}" alt="" width="28" height="28"> Duet`;

/** Customers get no links to pages for developers. */
const customerNavigation = [['/account', 'Your account']] as const;

function renderBrand(shop: PageHeaderShop | undefined): Html {
  if (shop === undefined) return safeHtml`<a class="brand" href="/">${duetMark}</a>`;
  return shop.name === '' ? safeHtml`<span class="brand">${duetMark}</span>` : renderShopBrand(shop);
}

function renderShopBrand({ name, logoUrl, url }: PageHeaderShop): Html {
  const content = logoUrl === undefined ? name : safeHtml`<img class="logo" src="${logoUrl}" alt="${name}">`;
  return url === undefined
    ? safeHtml`<span class="brand">${content}</span>`
    : safeHtml`<a class="brand" href="${url}">${content}</a>`;
}

/** A complete page with head, brand and navigation. */
export function renderPageFrame(
  { title, styles = [], scripts = [], at, aside, hasMain = false, shop }: PageFrameOptions,
  content: Html,
): string {
  const element = new Html(hasMain ? 'div' : 'main');
  return safeHtml`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${sharedPageAssets.icon.href}" type="image/svg+xml">
${[sharedPageAssets.style.href, ...styles].map((href) => safeHtml`<link rel="stylesheet" href="${href}">\n`)}${shop?.css !== undefined && safeHtml`<style>${new Html(shop.css)}</style>\n`}</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
${renderBrand(shop)}
${shop === undefined && safeHtml`<nav aria-label="Pages">${navigation.map((page) => link(page, at))}</nav>`}
${aside}</header>
<${element} id="content">
${content}
</${element}>
${shop !== undefined && safeHtml`<footer class="foot"><nav aria-label="Pages">${shop.url !== undefined && link([shop.url, shop.name || 'The shop'])}${customerNavigation.map((page) => link(page))}</nav></footer>\n`}${scripts.map((src) => safeHtml`<script src="${src}"></script>\n`)}</body>
</html>
`.text;
}
