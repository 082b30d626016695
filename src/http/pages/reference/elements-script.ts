/** Browser script of the REST reference: creates elements, prose with inline code, code blocks and copy buttons. */
export const referenceElementsScript = String.raw`const el = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : value);
  node.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return node;
};

/** Text between backticks becomes inline code. */
const prose = (text = '') => text.split(/\x60/).map((part, index) => (index % 2 ? el('code', {}, part) : part));

const json = (value) => JSON.stringify(value, null, 2);

/** Scrollable, hence focusable by keyboard. */
const block = (text, label) => el('pre', { tabindex: '0', role: 'region', 'aria-label': label }, el('code', {}, text));

function copyButton(text, subject) {
  const button = el('button', { type: 'button' });
  const setLabel = (label) => {
    button.textContent = label;
    button.setAttribute('aria-label', label + ': ' + subject);
  };
  setLabel('Copy');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    setLabel('Copied');
    setTimeout(setLabel, 1500, 'Copy');
  });
  return button;
}
`;
