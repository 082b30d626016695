/** REST reference at `/docs`: every operation of the OpenAPI document with parameters, response and a form to send it. Without third-party scripts. */
import type { Config } from '../../../config.ts';
import { apiTokenBarScript, createApiTokenBar } from '../api-token-bar.ts';
import { renderPageFrame, safeHtml } from '../html-template-and-page-frame.ts';
import { createPageSecurityHeaders, createStaticFilePage, type HttpPageHandler } from '../http-page.ts';
import { createPageAsset } from '../page-assets.ts';
import { referenceSamplesScript } from './code-samples-script.ts';
import { referenceElementsScript } from './elements-script.ts';
import { referenceGraphqlEquivalentScript } from './graphql-equivalent-script.ts';
import { referenceLoadContractScript } from './load-contract-script.ts';
import { referenceOperationListScript } from './operation-list-script.ts';
import { referenceOwnShopValuesScript } from './own-shop-values-script.ts';
import { referenceStyle } from './reference-style.ts';
import { referenceSchemaScript } from './render-schema-script.ts';
import { referencePrerequisitesScript } from './run-prerequisites-script.ts';
import { referenceOperationScript } from './show-operation-script.ts';
import { referenceTryItScript } from './try-it-script.ts';

const script = createPageAsset(
  'reference.js',
  'text/javascript; charset=utf-8',
  `(() => {\n${[
    referenceElementsScript,
    referenceSchemaScript,
    referencePrerequisitesScript,
    referenceSamplesScript,
    referenceTryItScript,
    referenceGraphqlEquivalentScript,
    referenceOperationScript,
    referenceOperationListScript,
    referenceOwnShopValuesScript,
    referenceLoadContractScript,
  ].join('')}})();\n`,
);

const style = createPageAsset('reference.css', 'text/css; charset=utf-8', referenceStyle);

const page = (config: Config) =>
  renderPageFrame(
    {
      title: 'REST reference · Duet',
      at: '/docs',
      hasMain: true,
      styles: [style.href],
      scripts: [apiTokenBarScript.href, script.href],
      aside: createApiTokenBar(config),
    },
    safeHtml`<div class="reference">
<nav aria-label="Operations"><details id="menu" open><summary>Operations</summary>
<div class="search"><label for="search">Search, or press /</label><input id="search" type="search" autocomplete="off" spellcheck="false"></div>
<div id="operations"></div></details></nav>
<main id="operation"><noscript>The reference needs JavaScript. The OpenAPI document is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript></main>
</div>`,
  );

const file = ({ type, text }: typeof script) => createStaticFilePage(type, () => text, { immutable: true });

export const createReferencePages = (config: Config): readonly [string, HttpPageHandler][] => [
  [
    '/docs',
    createStaticFilePage('text/html; charset=utf-8', () => page(config), {
      headers: createPageSecurityHeaders(),
    }),
  ],
  [script.path, file(script)],
  [style.path, file(style)],
];
