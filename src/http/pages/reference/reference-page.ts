/** REST reference at `/docs`: every operation of the OpenAPI document with parameters, response and a form to send it. Without third-party scripts. */
import type { Config } from '../../../config.ts';
import { apiTokenBarScript, createApiTokenBar } from '../api-token-bar.ts';
import { renderPageFrame, safeHtml } from '../html-template-and-page-frame.ts';
import { createPageSecurityHeaders, createStaticFilePage, type HttpPageHandler } from '../http-page.ts';
import { createPageAsset } from '../page-assets.ts';
import { referenceSamplesScript } from './code-samples-script.ts';
import { referenceElementsScript } from './elements-script.ts';
import { referenceGraphqlEquivalentScript } from './graphql-equivalent-script.ts';
import { referenceOperationListScript } from './operation-list-script.ts';
import { referenceStyle } from './reference-style.ts';
import { referenceSchemaScript } from './render-schema-script.ts';
import { referencePrerequisitesScript } from './run-prerequisites-script.ts';
import { referenceOperationScript } from './show-operation-script.ts';
import { referenceTryItScript } from './try-it-script.ts';

/** Browser script of the REST reference: replaces the values of the demo shop in an example by those of the visitor's shop. */
const referenceOwnShopValuesScript = String.raw`/**
 * Example of an operation with values of the visitor's shop. A write to an existing record gets no record: sending the example must not
 * change one that the visitor did not choose.
 */
function onOwnShop(adapt, call) {
  const parameters = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const names = call.method === 'GET' ? undefined
    : parameters.every((name) => name === 'businessId') ? ['YOUR_BUSINESS_ID', 'YOUR_PRODUCT_ID', 'YOUR_VARIANT_ID', 'YOUR_COLLECTION_ID']
    : parameters.includes('businessId') ? ['YOUR_BUSINESS_ID'] : [];
  const operation = JSON.parse(adapt(JSON.stringify(call.operation), names));
  const { market, shippingMethodId } = JSON.parse(adapt('{"market":"US","shippingMethodId":"standard"}'));
  for (const parameter of operation.parameters ?? []) {
    const { name, example, in: location } = parameter;
    if (location === 'path' && name !== 'businessId' && call.method !== 'GET' && !String(example).startsWith('YOUR_')) parameter.example = 'YOUR_' + name.toUpperCase();
    else parameter.example = { US: market, standard: shippingMethodId }[example] ?? example;
  }
  return { ...call, operation };
}
`;

/** Browser script of the REST reference: loads the OpenAPI document, then draws the list and the first operation. */
const referenceLoadContractScript = `const operationsOf = (paths, isEvent) => Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation, isEvent })));

const [source, adapter] = [duetSession.usesDemo ? '/v1/openapi.json' : '/assets/openapi-without-demo.json', duetSession.adapter()];
fetch(source).then((response) => response.json()).then(async (openApi) => {
  contract = openApi;
  calls = [...operationsOf(openApi.paths, false), ...operationsOf(openApi.webhooks ?? {}, true)];
  if (duetSession.hasShop && !duetSession.usesDemo) {
    const adapt = await adapter;
    calls = calls.map((call) => onOwnShop(adapt, call));
  }
  drawList();
  go();
  addEventListener('hashchange', go);
  search.addEventListener('input', filter);
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    event.preventDefault();
    document.getElementById('menu').open = true;
    search.focus();
  });
});
`;

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
