/** Programs that tests start and npm does not bring: installed from Debian's packages where that can be. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** The path of the first of these that is there, or else of the first, installed from its package of the same name. */
export async function findOrInstallProgram(...programs: [string, ...string[]]): Promise<string> {
  const [wanted] = programs;
  const found = programs.map(pathOf).find((path) => path !== undefined);
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && pathOf('apt-get') !== undefined) await install(wanted);
  const installed = pathOf(wanted);
  if (installed === undefined)
    throw new Error(
      `This test starts ${programs.join(' or ')}, which is missing. Install it: apt-get install ${wanted}`,
    );
  return installed;
}

const pathOf = (program: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));

/** One at a time: others find it there when it is their turn. */
async function install(program: string): Promise<void> {
  console.info(`Installing ${program} from Debian's packages …`);
  const line = `command -v ${program} || { apt-get update -qq; apt-get install -y -qq ${program}; }`;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await promisify(execFile)('flock', [join(tmpdir(), 'duet-install.lock'), 'sh', '-c', line], { env }).catch(
    (error: Error) => console.error(error.message),
  );
}
