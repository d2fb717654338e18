/** `name: value`, as headers and server-sent events have it. */
export function parseField(line: string): [name: string, value: string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon), line.slice(colon + 1).trim()]
}
