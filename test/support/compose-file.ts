/** compose.yaml as an object, with variables of an environment file replaced. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';

export interface ComposeService {
  image: string;
  command?: string[];
  env_file?: string;
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  secrets?: string[];
  networks?: string[];
  depends_on?: Record<string, { condition: string }>;
  read_only?: boolean;
}

export interface ComposeFile {
  name: string;
  services: Record<string, ComposeService>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, object>;
  networks: Record<string, object>;
}

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?message}`. A missing value of the last form is an error, as in Compose. */
export const replaceVariables = (text: string, env: Record<string, string>): string =>
  text.replace(
    /(?<!\$)\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, operator: string | undefined, rest = '') => {
      const value = env[name];
      if (value) return value;
      if (operator === '?') throw new Error(`${name}: ${rest}`);
      return operator === '-' ? rest : '';
    },
  );

export const readCompose = (env: Record<string, string>): ComposeFile =>
  parse(replaceVariables(readFileSync('compose.yaml', 'utf8'), env), { merge: true });

/** Variables of an example file. */
export const readEnvFile = (file: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parseEnv(readFileSync(file, 'utf8'))).map(([name, value]) => [name, value ?? '']),
  );
