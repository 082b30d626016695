/** What the person who starts a process has to put right: the message says how, and no stack would tell them more. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}
