/** Layout of all pages, and the results that page functions return. */
import type { IncomingMessage } from 'node:http';
import { type Html, html, type Part } from './html.ts';
import type { Session } from './session.ts';

export interface Visit {
  url: URL;
  /** Second path segment: the slug of a record. */
  slug: string;
  /** Fields of a submitted form. */
  form: URLSearchParams;
  session: Session;
  request: IncomingMessage;
}

export interface View {
  status?: number;
  title: string;
  /** For search engines, at most 160 characters. */
  description?: string | undefined;
  body: Html;
}

/** Redirect after a form, so that a reload does not send it again. */
export interface Redirect {
  redirect: string;
}

export type Page = (visit: Visit) => Promise<View | Redirect>;

export const notFound: View = {
  status: 404,
  title: 'Page not found',
  body: html`<h1>Page not found</h1><p><a href="/">See what we have</a></p>`,
};

export const renderDocument = ({ title, description, body }: View, shopName: string): string =>
  `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${shopName}</title>
${description && html`<meta name="description" content="${description.slice(0, 160)}">`}
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header><a class="brand" href="/">${shopName}</a>
<nav aria-label="Shop"><a href="/journal">Journal</a> <a href="/find-order">Your order</a> <a href="/cart">Cart</a></nav></header>
<main id="main">
${body}
</main>
<footer><p class="soft">${shopName} is an example: nothing is charged, nothing is shipped.</p></footer>
</body>
</html>
`.text
  }`;

interface FieldOptions {
  name: string;
  label: string;
  type?: string;
  autocomplete?: string;
  value?: string | null | undefined;
  isOptional?: boolean;
  /** Error message of the field. */
  error?: string | undefined;
}

export const field = ({ name, label, type, autocomplete, value, isOptional, error }: FieldOptions): Html =>
  html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type ?? 'text'}" value="${value ?? ''}"${autocomplete && html` autocomplete="${autocomplete}"`}${!isOptional && html` required`}${error && html` aria-invalid="true" aria-describedby="${name}-error"`}>
${error && html`<p class="error" id="${name}-error">${error}</p>`}</div>`;

export const alert = (...lines: Part[]): Html =>
  html`<div class="alert" role="alert">${lines.map((line) => html`<p>${line}</p>`)}</div>`;
