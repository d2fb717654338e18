/** The addresses of lists. */

/** @returns the path of a route with its parameters filled in */
export function pathWith(path: string, parameters: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_part, name: string) => encodeURIComponent(parameters[name] ?? ''))
}

/** The `Link` to the next page (RFC 8288), relative to the request. */
export function nextLink(path: string, query: object, cursor: string): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, cursor })) {
    if (Array.isArray(value)) for (const each of value) parameters.append(name, String(each))
    else if (value !== undefined) parameters.set(name, String(value))
  }
  return `<${path}?${parameters}>; rel="next"`
}
