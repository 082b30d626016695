/** Browser script of the REST reference: loads the OpenAPI document, then draws the list and the first operation. */
export const referenceLoadContractScript = `const operationsOf = (paths, isEvent) => Object.entries(paths).flatMap(([path, methods]) =>
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
