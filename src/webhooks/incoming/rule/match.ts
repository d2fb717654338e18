/** Which events of a provider a rule is about: a type as it is, or with `*` for any run of characters. */

/** In time that grows with the lengths alone, whatever the pattern: it is a caller's. */
export function matchesType(pattern: string, type: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return pattern === type
  if (!type.startsWith(first)) return false
  let place = first.length
  for (const piece of rest) {
    const found = type.indexOf(piece, place)
    if (found === -1) return false
    place = found + piece.length
  }
  return type.length - last.length >= place && type.endsWith(last)
}
