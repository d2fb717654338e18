/** The `Link` to the next page (RFC 8288), relative to the request. */
export function nextLink(path: string, query: object, cursor: string): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, cursor })) {
    if (Array.isArray(value)) for (const each of value) parameters.append(name, String(each))
    else if (value !== undefined) parameters.set(name, String(value))
  }
  return `<${path}?${parameters}>; rel="next"`
}
