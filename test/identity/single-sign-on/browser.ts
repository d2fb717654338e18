/** As much of a browser as a sign-in at a provider needs: redirects and cookies. */

export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>()
  readonly #hosts: ReadonlyMap<string, string>

  /** @param hosts where the hosts of public addresses are reached */
  constructor(hosts: Record<string, string>) {
    this.#hosts = new Map(Object.entries(hosts))
  }

  /** Follows redirects until one leads to an address that begins with `until`. @returns that address */
  async follow(address: string, until: string): Promise<URL> {
    for (let url = new URL(address), hops = 0; hops < 10; hops++) {
      const response = await this.#get(url)
      const location = response.headers.get('location')
      if (location === null) throw new Error(`${url} answers ${response.status}: ${await response.text()}`)
      url = new URL(location, url)
      if (url.href.startsWith(until)) return url
    }
    throw new Error('There are too many redirects.')
  }

  async #get(url: URL): Promise<Response> {
    const reached = new URL(`${url.pathname}${url.search}`, this.#hosts.get(url.origin) ?? url.origin)
    const cookies = this.#cookies.get(url.origin) ?? new Map<string, string>()
    this.#cookies.set(url.origin, cookies)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(reached, { redirect: 'manual', headers: { cookie } })
    for (const header of response.headers.getSetCookie()) {
      const [pair = ''] = header.split(';')
      const [name = '', value = ''] = pair.split('=')
      cookies.set(name, value)
    }
    return response
  }
}
