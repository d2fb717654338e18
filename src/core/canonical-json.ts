/**
 * JSON in the canonical form of RFC 8785: without blanks, with the members of each object in the order of their names.
 * @param value parsed JSON @returns `undefined` for no value
 */
export function canonicalJson(value: unknown): string | undefined {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  return typeof value === 'object' && value !== null ? canonicalObject(value) : JSON.stringify(value)
}

function canonicalObject(value: object): string {
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join()}}`
}
