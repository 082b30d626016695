/** `duet doctor`: checks configuration, connections and database, and suggests fixes. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../config.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import type { LocalCommand, RawEnvironment } from '../command-types-and-usage-error.ts';
import { checkConfiguration } from '../doctor/check-configuration.ts';
import { checkExternalServices } from '../doctor/check-external-services.ts';
import {
  type DoctorFinding,
  doctorFailureMessage,
  doctorOptions,
  errorFinding,
  formatFindings,
  hasErrorFinding,
  noteFinding,
} from '../doctor/create-and-format-findings.ts';
import { parseCommandArgs } from '../parse-command-args.ts';
import { runDatabaseCommand } from '../run-database-command.ts';
import { hasColours } from '../terminal-output.ts';

export const doctorCommand: LocalCommand = async (env, args) => {
  const { json } = parseCommandArgs(args, doctorOptions).values;
  const config = readConfig(env, 'database');
  const findings: DoctorFinding[] = [];
  const add = (added: DoctorFinding[]) => {
    findings.push(...added);
    // JSON is written at the end, as one object.
    if (!json) process.stdout.write(formatFindings(added, false, hasColours(process.stdout, env)));
  };
  add([...(await checkConfiguration(config, env)), ...(await checkExternalServices(config))]);
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'db')))
    add([noteFinding('database', `embedded, will be created in ${config.dataDir} at the first start`)]);
  else add(await findDatabaseFindings(env));
  if (json) process.stdout.write(formatFindings(findings, true, false));
  if (hasErrorFinding(findings)) throw new OperatorError(doctorFailureMessage);
};

/** Runs the database part, which may run in the gateway that has the database open, and reads its JSON. */
async function findDatabaseFindings(env: RawEnvironment): Promise<DoctorFinding[]> {
  let output = '';
  try {
    await runDatabaseCommand('doctor', env, ['--json'], (text) => {
      output += text;
    });
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    if (output === '') return [errorFinding('database', error.message)];
  }
  return (JSON.parse(output) as { findings: DoctorFinding[] }).findings;
}
