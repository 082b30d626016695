/** Values of an enum with what each of them means. */
export const described = <Name extends string>(meanings: Readonly<Record<Name, string>>) =>
  Object.fromEntries(
    Object.entries<string>(meanings).map(([name, description]) => [name, { description }]),
  ) as Record<Name, { description: string }>;
