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

  /** Reads a page, and sends its form. @returns where the form leads */
  async confirm(url: URL, fields: Record<string, string>): Promise<URL> {
    const page = await (await this.#get(url)).text()
    const attribute = (pattern: RegExp) => pattern.exec(page)?.[1] ?? ''
    const target = new URL(attribute(/action="([^"]+)"/), url)
    const hidden = { xsrf: attribute(/name="xsrf" value="([^"]+)"/) }
    const answer = await this.#get(target, new URLSearchParams({ ...hidden, ...fields }))
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`${target} answers ${answer.status}: ${await answer.text()}`)
    return new URL(location, target)
  }

  async #get(url: URL, form?: URLSearchParams): Promise<Response> {
    const reached = new URL(`${url.pathname}${url.search}`, this.#hosts.get(url.origin) ?? url.origin)
    const cookies = this.#cookies.get(url.origin) ?? new Map<string, string>()
    this.#cookies.set(url.origin, cookies)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(reached, {
      redirect: 'manual',
      headers: { cookie },
      ...(form !== undefined && { method: 'POST', body: form }),
    })
    for (const header of response.headers.getSetCookie()) {
      const [pair = ''] = header.split(';')
      const [name = '', value = ''] = pair.split('=')
      cookies.set(name, value)
    }
    return response
  }
}
