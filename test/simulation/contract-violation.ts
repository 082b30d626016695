/** What a walk finds: something that the contract does not allow. */

export class ContractViolation extends Error {
  override readonly name = 'Fault';
  /** The same fault, found on another way, is of the same kind. */
  readonly kind: string;

  constructor(kind: string, message: string) {
    super(`${kind}: ${message}`);
    this.kind = kind;
  }
}

export function assertContract(condition: boolean, kind: string, message: () => string): asserts condition {
  if (!condition) throw new ContractViolation(kind, message());
}
