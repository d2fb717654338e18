/** A contract, a line for each promise and each demand. */

/**
 * A promise must stay. A demand must not come to what is released: a member that becomes required, a limit that becomes
 * smaller. `of` begins the promises of what makes the demand.
 */
export type ContractLine = { kind: 'promise'; text: string } | { kind: 'demand'; of: string; text: string }

/** As a file of a release: a line each, sorted; those of demands begin with an exclamation mark. */
export function contractText(lines: readonly ContractLine[]): string {
  const texts = lines.map((line) => (line.kind === 'promise' ? line.text : `! ${line.of} | ${line.text}`))
  return `${[...new Set(texts)].toSorted().join('\n')}\n`
}
