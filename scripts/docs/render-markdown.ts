/** Renders a Markdown document as HTML for the guide: anchors, code blocks with copy buttons, and the sections that search finds. */
import { Marked, type Tokens } from 'marked';
import { escapeHtml } from '../../src/lib/text/escape-text.ts';
import { createAnchors } from './headings.ts';

export interface Section {
  /** Empty for the text before the first heading below the title. */
  anchor: string;
  heading: string;
  text: string;
}

export interface RenderedDocument {
  title: string;
  /** Content below the title. */
  html: string;
  sections: Section[];
}

/** URL of a link target in the guide; undefined for files that only the repository has. */
export type ResolveLink = (target: string) => string | undefined;

const copyLabel = (language: string) => (language === 'http' ? 'Copy request' : 'Copy code');

/** Labels of scrollable areas, which the keyboard can focus. */
const scrollable = (label: string) => `tabindex="0" role="region" aria-label="${label}"`;

function renderCode(text: string, language: string, index: number): string {
  const id = `code-${index}`;
  const area = scrollable(`Code ${index}`);
  const block = `<div class="code"><button type="button" hidden data-copy="${id}" aria-label="${copyLabel(language)} ${index}">Copy</button><pre ${area}><code id="${id}">${escapeHtml(text)}</code></pre></div>\n`;
  return language === 'mermaid'
    ? `<details><summary>Source of the diagram (Mermaid)</summary>${block}</details>\n`
    : block;
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };

/** Text of rendered HTML. */
const plainText = (html: string) =>
  html
    .replace(/<(button|summary)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/<\/?(?:code|em|strong|a)\b[^>]*>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(lt|gt|quot|amp|#39);/g, (_, name: string) => entities[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim();

export function renderMarkdown(source: string, resolveLink: ResolveLink): RenderedDocument {
  const anchorOf = createAnchors();
  let codeBlocks = 0;
  let tables = 0;
  let title = '';
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const anchor = anchorOf(text);
        const content = this.parser.parseInline(tokens);
        if (depth === 1) {
          title = plainText(content);
          return '';
        }
        return `<h${depth} id="${anchor}">${content} <a class="anchor" href="#${anchor}" aria-label="Link to: ${escapeHtml(plainText(content))}">#</a></h${depth}>\n`;
      },
      code({ text, lang }: Tokens.Code) {
        codeBlocks += 1;
        return renderCode(text, lang ?? '', codeBlocks);
      },
      link({ href, tokens }: Tokens.Link) {
        const content = this.parser.parseInline(tokens);
        const url = /^(?:https?:|mailto:|#)/.test(href) ? href : resolveLink(href);
        return url === undefined
          ? `<code>${escapeHtml(href.replace(/^(?:\.\.\/)+/, ''))}</code>`
          : `<a href="${escapeHtml(url)}">${content}</a>`;
      },
      // Documents contain no HTML: what looks like a tag is text.
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    },
  });
  const html = (marked.parse(source, { async: false }) as string)
    .replace(/<table>/g, () => {
      tables += 1;
      return `<div class="table" ${scrollable(`Table ${tables}`)}><table>`;
    })
    .replace(/<\/table>/g, '</table></div>');
  return { title, html, sections: sectionsOf(html) };
}

const headingTag = /<h[23] id="([^"]*)">([\s\S]*?) <a class="anchor"[\s\S]*?<\/h[23]>/g;

function sectionsOf(html: string): Section[] {
  const headings = [...html.matchAll(headingTag)].map((match) => ({
    anchor: match[1] ?? '',
    heading: plainText(match[2] ?? ''),
    start: match.index,
    end: match.index + match[0].length,
  }));
  const first = { anchor: '', heading: '', start: 0, end: 0 };
  return [first, ...headings].map(({ anchor, heading, end }, index) => ({
    anchor,
    heading,
    text: plainText(html.slice(end, headings[index]?.start)),
  }));
}
