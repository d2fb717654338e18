/** A caller of the service over HTTP: what it sends, and what comes back. */
export interface Answer {
  status: number
  headers: Headers
  /** Parsed where it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read replies of every shape
  body: any
  text: string
}

export class Client {
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>

  constructor(baseUrl: string, headers: Record<string, string> = {}) {
    this.baseUrl = baseUrl
    this.headers = headers
  }

  /** The same caller with more headers. */
  with(headers: Record<string, string>): Client {
    return new Client(this.baseUrl, { ...this.headers, ...headers })
  }

  withToken(token: string): Client {
    return this.with({ authorization: `Bearer ${token}` })
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('GET', path, undefined, headers)
  }

  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('POST', path, body, headers)
  }

  put(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('PUT', path, body, headers)
  }

  delete(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('DELETE', path, undefined, headers)
  }

  /** @param body sent as JSON; a string or bytes as they are */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const raw = typeof body === 'string' || body instanceof Uint8Array // fetch takes both
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...this.headers,
        ...headers,
      },
      ...(body !== undefined && { body: raw ? (body as string) : JSON.stringify(body) }),
      redirect: 'manual',
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : text, // a HEAD has the type of what it leaves out
    }
  }
}
