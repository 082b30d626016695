/** Writes a generated file, or checks that it is up to date when the process was started with --check. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

export function writeOrCheck(path: string, text: string): void {
  if (!process.argv.includes('--check')) {
    writeFileSync(path, text);
    return;
  }
  const current = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (current === text) return;
  console.error(`${path} is out of date. Run: npm run generate`);
  process.exitCode = 1;
}
