/** HTML as a template tag that escapes what is put into it, and the frame every page of ours has. */
import { escapeHtml } from '../../lib/text/escape-text.ts';
import { assets } from './assets.ts';

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | false | null | undefined | readonly Part[];

function show(part: Part): string {
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(show).join('');
  if (part === false || part === null || part === undefined) return '';
  return escapeHtml(String(part));
}

export const markup = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(strings.reduce((text, string, index) => text + string + show(parts[index]), ''));

export interface PageFrameOptions {
  title: string;
  /** Files for the head beside our own style. */
  styles?: readonly string[];
  scripts?: readonly string[];
  /** The page of the navigation that this is. */
  at?: string;
  /** Stands beside the navigation. */
  aside?: Html;
  /** The content brings a main landmark of its own. */
  hasMain?: boolean;
  /** For customers, who get no links for developers: the name of the business, empty for what is of none. */
  customersOf?: string;
}

const navigation = [
  ['/', 'Start'],
  ['/docs', 'REST reference'],
  ['/graphql', 'GraphiQL'],
] as const;

const link = ([href, name]: readonly [string, string], at?: string) =>
  markup`<a href="${href}"${href === at ? new Html(' aria-current="page"') : ''}>${name}</a> `;

const duet = markup`<a class="brand" href="/"><img src="${assets.icon.href}" alt="" width="28" height="28"> Duet</a>`;

const customerNavigation = [
  ['/account/security', 'Your account'],
  ['/', 'Runs on Duet'],
] as const;

/** A whole page with head, brand and navigation. */
export function renderPageFrame(
  { title, styles = [], scripts = [], at, aside, hasMain = false, customersOf }: PageFrameOptions,
  content: Html,
): string {
  const element = new Html(hasMain ? 'div' : 'main');
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${assets.icon.href}" type="image/svg+xml">
${[assets.style.href, ...styles].map((href) => markup`<link rel="stylesheet" href="${href}">\n`)}</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
${customersOf ? markup`<span class="brand">${customersOf}</span>` : duet}
${customersOf === undefined && markup`<nav aria-label="Pages">${navigation.map((page) => link(page, at))}</nav>`}
${aside}</header>
<${element} id="content">
${content}
</${element}>
${customersOf !== undefined && markup`<footer class="foot"><nav aria-label="Pages">${customerNavigation.map((page) => link(page))}</nav></footer>\n`}${scripts.map((src) => markup`<script src="${src}"></script>\n`)}</body>
</html>
`.text;
}
