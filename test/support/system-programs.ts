/** System programs that tests start (Redis, Chromium), installed with apt-get if they are missing. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** Path of the first program that exists. If none does, installs the first from the Debian package of the same name; requires root. */
export async function findOrInstallProgram(...programs: [string, ...string[]]): Promise<string> {
  const [preferred] = programs;
  const existing = programs.map(pathOf).find((path) => path !== undefined);
  if (existing !== undefined) return existing;
  if (process.getuid?.() === 0 && pathOf('apt-get') !== undefined) await install(preferred);
  const installed = pathOf(preferred);
  if (installed === undefined)
    throw new Error(
      `This test starts ${programs.join(' or ')}, which is missing. Install it: apt-get install ${preferred}`,
    );
  return installed;
}

const pathOf = (program: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));

/** Holds a file lock, so that only one process installs and the others find the program. */
async function install(program: string): Promise<void> {
  console.info(`Installing ${program} from Debian's packages …`);
  const script = `command -v ${program} || { apt-get update -qq; apt-get install -y -qq ${program}; }`;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await promisify(execFile)('flock', [join(tmpdir(), 'duet-install.lock'), 'sh', '-c', script], {
    env,
  }).catch((error: Error) => console.error(error.message));
}
