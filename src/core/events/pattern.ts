/** Which events a subscription wants: a name, all of a noun (`order.*`), or everything (`*`). */
const word = '[A-Za-z0-9_-]+'

/** What an entry of `events` looks like, as a JSON Schema pattern. A type of an event has two words or more. */
export const eventPattern = `^(\\*|${word}(\\.${word})*\\.(${word}|\\*))$`

/**
 * Every entry of `events` by which a subscription wants events of the type. `order.*` means every type below `order.`,
 * however deep; names are compared with regard to case.
 */
export function patternsFor(type: string): string[] {
  const nouns = Array.from(type.matchAll(/\./g), ({ index }) => `${type.slice(0, index)}.*`)
  return ['*', type, ...nouns]
}

/**
 * For a search in the stored text of `events`: each list with an entry for the type, other than "*", has one of the two
 * in it. Of a type below several nouns the second is in lists for other types of the first noun as well.
 */
export function searchedFor(type: string): { named: string; below: string } {
  const [noun, ...rest] = type.split('.')
  return { named: `"${type}"`, below: rest.length > 1 ? `"${noun}.` : `"${noun}.*"` }
}
