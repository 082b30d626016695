/** Browser script of the REST reference: list of operations, search, and the operation named by the URL fragment. */
export const referenceOperationListScript = String.raw`const list = document.getElementById('operations');
const search = document.getElementById('search');
/** Search text of an operation: path, names, descriptions and fields. */
const searchTextOf = ({ path, operation }) => [path, operation.operationId, operation.summary, operation.description,
  ...(operation.parameters ?? []).map((parameter) => resolveRef(parameter).name),
  ...Object.keys(itemSchema(operation.requestBody?.content?.['application/json']?.schema ?? {}).properties ?? {})].join(' ').toLowerCase();

const groups = [];
let calls = [];

function drawList() {
  for (const { name, 'x-displayName': title } of contract.tags) {
    const links = calls.filter(({ operation }) => operation.tags?.[0] === name).map((call) => {
      const link = el('a', { href: '#' + call.operation.operationId }, call.operation.summary, badge(call));
      return { call, node: el('li', {}, link), link, searchText: searchTextOf(call) };
    });
    const node = el('div', { class: 'group' }, el('h2', { id: 'tag-' + name }, title), el('ul', { 'aria-labelledby': 'tag-' + name }, links.map(({ node }) => node)));
    groups.push({ node, links });
  }
  list.replaceChildren(...groups.map(({ node }) => node));
}

function filter() {
  const terms = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const { node, links } of groups) {
    for (const link of links) link.node.hidden = !terms.every((term) => link.searchText.includes(term));
    node.hidden = links.every((link) => link.node.hidden);
  }
}

function go() {
  const name = decodeURIComponent(location.hash.slice(1));
  const call = calls.find(({ operation }) => operation.operationId === name);
  for (const { link, call: linked } of groups.flatMap(({ links }) => links))
    if (linked === call) link.setAttribute('aria-current', 'page'); else link.removeAttribute('aria-current');
  const current = list.querySelector('[aria-current]');
  if (call) show(call); else welcome();
  document.title = (call ? call.operation.summary + ' · ' : '') + 'REST reference · Duet';
  const menu = document.getElementById('menu');
  menu.open = matchMedia('(min-width:60rem)').matches;
  // Only the list scrolls: scrollIntoView would also scroll the page.
  if (current && menu.open) {
    const { top, bottom } = current.getBoundingClientRect();
    const frame = menu.getBoundingClientRect();
    if (top < frame.top || bottom > frame.bottom) menu.scrollTop += top - frame.top - frame.height / 2;
  }
  scrollTo(0, 0);
}
`;
