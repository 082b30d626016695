/** Browser script of the REST reference: the GraphQL operation and variables of the request in the form, translated by `/migrate`. */
export const referenceGraphqlEquivalentScript = `async function translateForm(call, form) {
  const request = requestOf(call, form, {});
  const { pathname, search } = new URL(request.url);
  const text = await request.text();
  const response = await fetch('/migrate', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ method: call.method, path: pathname + search, headers: Object.fromEntries(request.headers), body: text ? JSON.parse(text) : {} }),
  });
  const translated = await response.json();
  if (!response.ok) throw new Error(translated.message);
  return translated;
}

function graphqlEquivalent(call, form) {
  const content = el('div', {}, el('p', {}, 'Translating…'));
  const show = async () => {
    const { operation, document: text, variables, graphiql } = await translateForm(call, form);
    content.replaceChildren(
      el('p', { class: 'twin' }, graphiql && el('a', { href: graphiql }, 'Open in GraphiQL')),
      block(json(variables), 'Variables'),
      el('details', {}, el('summary', {}, 'Operation ' + operation), copyButton(text, 'GraphQL operation'), block(text, 'Operation')));
  };
  // A body that is not valid JSON yet leaves the last translation.
  const update = () => show().catch((error) => { if (!content.querySelector('pre')) content.replaceChildren(el('p', { class: 'bad' }, String(error.message))); });
  let timer;
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(update, 300);
  });
  update();
  return el('section', { class: 'box', 'aria-labelledby': 'twin' }, el('h2', { id: 'twin' }, 'In GraphQL'), content);
}
`;
