/** Which events a subscription wants: a name, all of a noun (`order.*`), or everything (`*`). */
const name = '[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*'

/** What an entry of `events` looks like, as a JSON Schema pattern. */
export const eventPattern = `^(\\*|${name}(\\.\\*)?)$`

/**
 * Every entry of `events` by which a subscription wants events of the type. `order.*` means every type below `order.`,
 * however deep; names are compared with regard to case.
 */
export function patternsFor(type: string): string[] {
  const nouns = Array.from(type.matchAll(/\./g), ({ index }) => `${type.slice(0, index)}.*`)
  return ['*', type, ...nouns]
}
