/**
 * A caller of a service under test: a user who signs in by itself when a token is needed, or a caller without a
 * token.
 */
import type { SignIn } from '../identity/session/schema.ts'
import type { TestClock } from './test-clock.ts'

export interface TestReply<Body> {
  status: number
  headers: Headers
  /** The parsed body if it is JSON, otherwise its text. */
  body: Body
}

/** How a user signs in. */
export interface SignInWith {
  id: string
  userName: string
  password: string
  tenantId: string
}

interface Token {
  text: string
  expiresAtMs: number
}

/** A new token is requested this long before the old one expires. */
const renewBeforeMs = 5000

// biome-ignore lint/suspicious/noExplicitAny: tests read replies of every shape, as with Response.json()
type AnyShape = any

export class TestCaller {
  /** The id of the user; `null` for a caller without a token. */
  readonly userId: string | null
  readonly #url: string
  readonly #clock: TestClock
  readonly #user: SignInWith | null
  #token: Token | null = null

  constructor(url: string, clock: TestClock, user: SignInWith | null = null) {
    this.#url = url
    this.#clock = clock
    this.#user = user
    this.userId = user?.id ?? null
  }

  /** @returns a valid access token; the user signs in if there is none @throws Error for somebody without a token */
  async token(): Promise<string> {
    if (this.#user === null) throw new Error('This caller has no token.')
    const renewedAtMs = this.#clock.now().getTime() + renewBeforeMs
    if (this.#token === null || this.#token.expiresAtMs < renewedAtMs)
      this.#token = await this.#signIn(this.#user)
    return this.#token.text
  }

  /** Calls `fetch` with the token. @param path of the service, such as `/api/products` */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (this.#user !== null && !headers.has('authorization'))
      headers.set('authorization', `Bearer ${await this.token()}`)
    return fetch(new URL(path, this.#url), { ...init, headers })
  }

  get<Body = AnyShape>(path: string, headers: Record<string, string> = {}): Promise<TestReply<Body>> {
    return this.#send('GET', path, undefined, headers)
  }

  post<Body = AnyShape>(
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestReply<Body>> {
    return this.#send('POST', path, body, headers)
  }

  put<Body = AnyShape>(
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestReply<Body>> {
    return this.#send('PUT', path, body, headers)
  }

  patch<Body = AnyShape>(
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestReply<Body>> {
    return this.#send('PATCH', path, body, headers)
  }

  delete<Body = AnyShape>(path: string, headers: Record<string, string> = {}): Promise<TestReply<Body>> {
    return this.#send('DELETE', path, undefined, headers)
  }

  /** @returns the data of the operation @throws Error with the messages of all errors, if there is one */
  async graphql<Data = AnyShape>(query: string, variables: object = {}): Promise<Data> {
    const { body } = await this.post('/graphql', { query, variables })
    if (body.errors === undefined) return body.data
    throw new Error(body.errors.map(({ message }: { message: string }) => message).join('\n'))
  }

  async #send(
    method: string,
    path: string,
    content: unknown,
    given: Record<string, string>,
  ): Promise<TestReply<AnyShape>> {
    const headers = new Headers(given)
    if (content !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json')
    const body = content === undefined ? null : JSON.stringify(content)
    const response = await this.fetch(path, { method, headers, body })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true && text !== ''
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }

  async #signIn({ userName, password, tenantId }: SignInWith): Promise<Token> {
    const response = await fetch(new URL('/api/auth/login', this.#url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tenant-id': tenantId },
      body: JSON.stringify({ userName, password }),
    })
    if (!response.ok) throw new Error(`${userName} cannot sign in: ${await response.text()}`)
    const { accessToken, expiresAt } = (await response.json()) as SignIn // the schema of the reply
    return { text: accessToken, expiresAtMs: new Date(expiresAt).getTime() }
  }
}
