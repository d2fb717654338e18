/** Which events a subscription wants: a name, all of a noun (`order.*`), or everything (`*`). */
const name = '[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*'

/** What an entry of `events` looks like, as a JSON Schema pattern. */
export const eventPattern = `^(\\*|${name}(\\.\\*)?)$`

/** `order.*` means every type below `order.`, however deep; names are compared with regard to case. */
export function matches(patterns: readonly string[], type: string): boolean {
  return patterns.some((pattern) => {
    if (pattern === '*' || pattern === type) return true
    return pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))
  })
}
