/** The file that a thread begins with: a source beside this one, or what the bundle has made of it. */
export function threadFile(name: string): URL {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`./${name}.${ending}`, import.meta.url)
}
