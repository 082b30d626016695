/** Writes a generated file that is committed, or checks that it is up to date. */
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
