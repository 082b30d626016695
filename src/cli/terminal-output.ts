/** Terminal output of commands: a progress line that later output replaces, and colours unless NO_COLOR is set. */
import { styleText } from 'node:util';
import type { RawEnvironment } from './command-types-and-usage-error.ts';

export type TextColour = 'green' | 'yellow' | 'red' | 'cyan' | 'dim';

/** The part of a standard stream that commands use. */
interface OutputStream {
  write(text: string): unknown;
  isTTY?: boolean;
}

export interface CommandOutput {
  write(text: string): void;
  /** Shows a text in the progress line of a terminal; anywhere else it is dropped. */
  progress(text: string): void;
  /** Clears the progress line. */
  end(): void;
  readonly colours: boolean;
}

export const hasColours = ({ isTTY }: OutputStream, env: RawEnvironment): boolean =>
  isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';

export const colourText = (colours: boolean, colour: TextColour, text: string): string =>
  colours ? styleText(colour, text, { validateStream: false }) : text;

/** Progress is written to `err`, so that it never becomes part of data. */
export function createCommandOutput(
  out: OutputStream,
  err: OutputStream,
  env: RawEnvironment,
): CommandOutput {
  let isLineOpen = false;
  const end = () => {
    if (isLineOpen) err.write('\r\u001b[K');
    isLineOpen = false;
  };
  return {
    colours: hasColours(out, env),
    end,
    write(text) {
      end();
      out.write(text);
    },
    progress(text) {
      if (!err.isTTY) return;
      err.write(`\r\u001b[K${text}`);
      isLineOpen = true;
    },
  };
}
