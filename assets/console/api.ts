/** Requests to the API, with the rights of the signed-in user. */

import type { FaultParameters, RefusedRequest } from '../../src/core/language/fault-sentence.ts'
import { noteLost, noteReached } from './connection.ts'
import { noteRequest } from './page-requests.ts'
import { serviceAddress } from './service.ts'
import { currentToken, endSession, expireToken } from './session.ts'

export interface Fault {
  /** A JSON pointer to the member. */
  pointer: string
  reason: string
}

/** A reply that reports an error, or no reply at all (`status` 0). */
export class ApiError extends Error {
  readonly status: number
  readonly requestId: string | null
  readonly faults: readonly Fault[]
  readonly headers: Headers

  constructor(status: number, message: string, parts: { headers: Headers; faults?: readonly Fault[] }) {
    super(message)
    this.status = status
    this.headers = parts.headers
    this.requestId = parts.headers.get('x-request-id')
    this.faults = parts.faults ?? []
  }
}

export interface Answer<T> {
  body: T
  headers: Headers
}

export interface RequestOptions {
  query?: Readonly<Record<string, string | undefined>>
  body?: unknown
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** @param path such as `/api/products` @throws ApiError */
export async function request<T>(
  method: Method,
  path: string,
  { query = {}, body, headers = {}, signal }: RequestOptions = {},
): Promise<Answer<T>> {
  const address = withQuery(path, query)
  if (method === 'GET') noteRequest({ method, path: address }) // before the user may have left the page
  const send = async (bearer: string | null) =>
    fetch(serviceAddress(address), {
      method,
      signal: signal ?? null,
      headers: {
        // Errors name the members that are wrong (RFC 9457).
        accept: 'application/problem+json, application/json;q=0.9',
        'accept-language': document.documentElement.lang,
        ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && !(body instanceof Blob) && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body instanceof Blob ? body : JSON.stringify(body),
    }).catch(async (cause: unknown) => {
      throw signal?.aborted ? cause : await errorBy(cause)
    })
  const token = await validToken()
  let reply = await send(token)
  noteReached()
  if (reply.status === 401 && token !== null) {
    expireToken()
    const renewed = await validToken()
    if (renewed !== null) reply = await send(renewed)
    if (reply.status === 401 && !reply.headers.has('x-mfa-token')) endSession()
  }
  if (!reply.ok) throw await errorOf(reply)
  const isEmpty = reply.status === 204
  return { body: (isEmpty ? null : await reply.json()) as T, headers: reply.headers } // as the API describes it
}

/** @throws ApiError if the session cannot be renewed now */
function validToken(): Promise<string | null> {
  return currentToken().catch(async (cause: unknown) => {
    throw await errorBy(cause)
  })
}

/**
 * @param cause what was thrown: by `fetch` a TypeError if there was no reply; by a refused renewal of the session an
 *   Error whose cause is the reply
 */
async function errorBy(cause: unknown): Promise<unknown> {
  if (cause instanceof Error && cause.cause instanceof Response) return errorOf(cause.cause)
  if (!(cause instanceof TypeError)) return cause
  noteLost()
  return new ApiError(0, 'offline', { headers: new Headers() })
}

/** @throws ApiError */
export async function get<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return (await request<T>('GET', path, options)).body
}

export async function errorOf(reply: Response): Promise<ApiError> {
  const { status, headers, statusText } = reply
  const text = await reply.text()
  try {
    // An error of the service, or of a proxy.
    return errorIn({ detail: text, ...(JSON.parse(text) as Problem) }, { status, headers })
  } catch {
    return new ApiError(status, statusText, { headers })
  }
}

/** The problem details of an error (RFC 9457): of a request, or of one of the rows in it. */
export interface Problem extends RefusedRequest {
  message?: string
  errors?: readonly { pointer: string; detail: string; code?: string; parameters?: FaultParameters }[]
}

export function errorIn(
  problem: Problem,
  { status, headers = new Headers() }: { status: number; headers?: Headers },
): ApiError {
  const faults: Fault[] = []
  let said = problem.message ?? words.error(problem)
  for (const { pointer, detail, code, parameters } of problem.errors ?? []) {
    const reason = words.fault(detail, code, parameters)
    faults.push({ pointer: pointer.slice(1), reason })
    said = said.replace(detail, () => reason) // the service joins them: `name: is required; price: must be >= 0`
  }
  return new ApiError(status, said, { headers, faults })
}

interface Words {
  fault: (detail: string, code?: string, parameters?: FaultParameters) => string
  error: (refused: RefusedRequest) => string
}

let words: Words

/** Sets the functions that say errors in the language of the page. The page calls this before its first request. */
export function sayErrors(by: Words): void {
  words = by
}

export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((each): each is [string, string] => each[1] !== undefined)
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** The cursor of the next page, from the header `Link`. */
export function nextCursor(headers: Headers): string | null {
  const [, address] = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '') ?? []
  return address === undefined ? null : new URL(address, location.href).searchParams.get('cursor')
}
