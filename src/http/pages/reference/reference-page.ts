/** REST reference at `/docs`: every operation of the OpenAPI document with parameters, response and a form to send it. Without third-party scripts. */
import type { Config } from '../../../config.ts';
import { createAsset } from '../assets.ts';
import { demoSessionBar, demoSessionScript } from '../demo-session.ts';
import { markup, renderPageFrame } from '../html.ts';
import { type HttpPage, pageHeaders, staticFile } from '../http-page.ts';
import { browseScript } from './browse-script.ts';
import { prerequisitesScript } from './prerequisites-script.ts';
import { referenceStyle } from './reference-style.ts';
import { renderScript } from './render-script.ts';
import { tryItScript } from './try-it-script.ts';

const script = createAsset(
  'reference.js',
  'text/javascript; charset=utf-8',
  `(() => {\n${renderScript}${prerequisitesScript}${tryItScript}${browseScript}})();\n`,
);

const style = createAsset('reference.css', 'text/css; charset=utf-8', referenceStyle);

const page = (config: Config) =>
  renderPageFrame(
    {
      title: 'REST reference · Duet',
      at: '/docs',
      hasMain: true,
      styles: [style.href],
      scripts: [demoSessionScript.href, script.href],
      aside: demoSessionBar(config),
    },
    markup`<div class="reference">
<nav aria-label="Operations"><details id="menu" open><summary>Operations</summary>
<div class="search"><label for="search">Search, or press /</label><input id="search" type="search" autocomplete="off" spellcheck="false"></div>
<div id="operations"></div></details></nav>
<main id="operation"><noscript>The reference needs JavaScript. The OpenAPI document is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript></main>
</div>`,
  );

const file = ({ type, text }: typeof script) => staticFile(type, () => text, { immutable: true });

export const referencePages = (config: Config): readonly [string, HttpPage][] => [
  ['/docs', staticFile('text/html; charset=utf-8', () => page(config), { headers: pageHeaders() })],
  [script.path, file(script)],
  [style.path, file(style)],
];
