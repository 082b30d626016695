/** Splits shell commands into words, like a POSIX shell, without expanding variables. */

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '0': '\0' };

/** Words of each command. An unquoted line break, `;`, `|` or ` &` ends a command; comments and text after `>` are not part of it. */
export function splitShellCommands(text: string): string[][] {
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | undefined;
  let position = 0;
  const append = (piece: string) => {
    word = (word ?? '') + piece;
  };
  const endWord = () => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  const endCommand = () => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  while (position < text.length) {
    const character = text[position] ?? '';
    if (character === '>' || (character === '#' && word === undefined)) {
      endWord();
      position = endOfCommand(text, position);
    } else if (/[|;\n]/.test(character) || (character === '&' && word === undefined)) {
      endCommand();
      position += 1;
    } else if (character === "'" || text.startsWith("$'", position)) {
      const isEscaped = character === '$';
      const quoted = readQuoted(text, position + (isEscaped ? 2 : 1), "'", isEscaped);
      append(isEscaped ? quoted.text.replace(/\\(u[0-9a-fA-F]{4}|.)/gs, unescapeAnsiC) : quoted.text);
      position = quoted.end;
    } else if (character === '"') {
      const quoted = readQuoted(text, position + 1, '"', true);
      append(
        quoted.text.replace(/\\(["\\$`\n])/g, (_, escaped: string) => (escaped === '\n' ? '' : escaped)),
      );
      position = quoted.end;
    } else if (character === '\\') {
      const next = text[position + 1] ?? '';
      // A backslash before a line break continues the line.
      if (next !== '\n' && next !== '\r') append(next);
      position += text.startsWith('\r\n', position + 1) ? 3 : 2;
    } else if (/\s/.test(character)) {
      endWord();
      position += 1;
    } else {
      append(character);
      position += 1;
    }
  }
  endCommand();
  return commands;
}

function endOfCommand(text: string, start: number): number {
  const end = /[|;\n]/g;
  end.lastIndex = start;
  return end.exec(text)?.index ?? text.length;
}

const unescapeAnsiC = (_: string, code: string): string =>
  code.length > 1 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (escapes[code] ?? code);

/** Text up to the closing quote, or to the end if there is none. */
function readQuoted(text: string, start: number, quote: string, hasEscapes: boolean) {
  let end = start;
  while (end < text.length && text[end] !== quote) end += hasEscapes && text[end] === '\\' ? 2 : 1;
  return { text: text.slice(start, end), end: end + 1 };
}
