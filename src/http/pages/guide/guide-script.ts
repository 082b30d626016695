/** Browser script of the guide: search, and which of the two lists are open at which width. */
export const guideScript = String.raw`(() => {
const search = document.getElementById('search');
const results = document.getElementById('results');
const contents = document.getElementById('contents');
const found = document.getElementById('found');
const menu = document.getElementById('menu');
const outline = document.getElementById('outline');
const limit = 20;

const wide = matchMedia('(min-width:60rem)');
const veryWide = matchMedia('(min-width:80rem)');
const fold = () => {
  menu.open = wide.matches;
  if (outline) outline.open = veryWide.matches;
};
fold();
wide.addEventListener('change', fold);
veryWide.addEventListener('change', fold);
document.querySelector('.search').hidden = false;

let index;
const loadIndex = () => (index ??= fetch('/guide/search.json').then((response) => response.json()));

const count = (text, term) => text.split(term).length - 1;

/** Sections that contain all terms; words of headings and titles count more than words of the text. */
function rank(sections, terms) {
  const scored = sections.map((section) => {
    const [title, heading, text] = [section.title, section.heading, section.text].map((part) => part.toLowerCase());
    const scores = terms.map((term) => 20 * count(heading, term) + 12 * count(title, term) * (heading === '' ? 2 : 1) + Math.min(count(text, term), 8));
    return { section, score: scores.every((score) => score > 0) ? scores.reduce((sum, score) => sum + score) : 0 };
  });
  return scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score).map(({ section }) => section);
}

/** Text around the first term, with the terms marked. */
function excerpt({ text }, terms) {
  const at = Math.max(0, Math.min(...terms.map((term) => text.toLowerCase().indexOf(term)).filter((position) => position >= 0), text.length) - 40);
  const part = (at > 0 ? '… ' : '') + text.slice(at, at + 140) + (text.length > at + 140 ? ' …' : '');
  const node = document.createElement('span');
  const pattern = new RegExp('(' + terms.map((term) => term.replace(/[^\w\s]/g, '\\$&')).join('|') + ')', 'i');
  for (const piece of part.split(pattern)) {
    const marked = terms.includes(piece.toLowerCase());
    const child = marked ? document.createElement('mark') : document.createTextNode(piece);
    if (marked) child.textContent = piece;
    node.append(child);
  }
  return node;
}

function item(section, terms) {
  const link = document.createElement('a');
  link.href = section.url;
  const name = document.createElement('strong');
  name.textContent = section.heading === '' ? section.title : section.title + ' › ' + section.heading;
  link.append(name, excerpt(section, terms));
  const node = document.createElement('li');
  node.append(link);
  return node;
}

async function run() {
  const terms = [...new Set(search.value.toLowerCase().split(/\s+/).filter(Boolean))];
  const sections = terms.length > 0 ? rank(await loadIndex(), terms) : [];
  results.replaceChildren(...sections.slice(0, limit).map((section) => item(section, terms)));
  results.hidden = terms.length === 0;
  contents.hidden = terms.length > 0;
  found.textContent = terms.length === 0 ? '' : sections.length === 1 ? '1 section' : sections.length + ' sections';
}

search.addEventListener('focus', loadIndex, { once: true });
search.addEventListener('input', run);
search.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') results.querySelector('a')?.click();
});
results.addEventListener('click', (event) => {
  // A result on this page only moves the position: the list would cover it on a phone.
  if (event.target.closest('a')) menu.open = wide.matches;
});
addEventListener('keydown', (event) => {
  if (event.key !== '/' || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
  event.preventDefault();
  menu.open = true;
  search.focus();
});
document.querySelector('#contents [aria-current]')?.scrollIntoView({ block: 'nearest' });
})();
`;
