/** One exchange with a receiver under one deadline, from the look-up of its name to the end of its answer. */
import { maskHeaders, type OwnHeaders } from '../subscriptions/header.ts'
import type { AddressPolicy } from '../subscriptions/ip-address.ts'
import { noAnswer } from './answer.ts'
import { type Connections, openConnections } from './connection.ts'
import type { ErrorClass } from './failure.ts'
import { type Posting, post } from './post.ts'
import { createResolver, type HostResolver } from './resolve.ts'

export interface ExchangeRequest {
  url: string
  headers: Record<string, string>
  /** The subscriber's own: sent, and masked in what is told of the exchange. */
  ownHeaders?: OwnHeaders
  body: string
  deadlineMs: number
  /** Ends the exchange with the class `aborted`. */
  signal?: AbortSignal
}

export interface Exchange {
  outcome: 'success' | 'failure'
  status: number | null
  errorClass: ErrorClass | null
  /** As the receiver sent it. */
  retryAfter: string | null
  /** As sent, but for what the subscriber keeps secret. */
  requestHeaders: Record<string, string>
  responseHeaders: Record<string, string>
  /** At most 16 KiB of UTF-8. */
  bodyExcerpt: string
  durationMs: number
}

/** What every exchange goes through; one for the whole service. */
export interface Guard {
  resolver: HostResolver
  connections: Connections
  close(): void
}

/** @param options `nameServers` in place of the system's; `certificateAuthorities` (PEM) in place of the usual ones */
export function createGuard(
  policy: AddressPolicy,
  options: { nameServers?: readonly string[]; certificateAuthorities?: string } = {},
): Guard {
  const resolver = createResolver(policy, options.nameServers)
  const connections = openConnections(options.certificateAuthorities)
  const close = (): void => {
    resolver.close()
    connections.close()
  }
  return { resolver, connections, close }
}

/** Rejects for nothing that the receiver, its name servers or the network do, and at once for what cannot be sent. */
export function send(request: ExchangeRequest, guard: Guard): Promise<Exchange> {
  const started = performance.now()
  const { body, signal } = request
  const url = new URL(request.url)
  const headers = { ...request.headers, 'Content-Length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    let posting: Posting | null = null
    let isOver = false
    const close = (): void => {
      isOver = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    const end = (errorClass: ErrorClass | null): void => {
      if (isOver) return
      close()
      const answer = posting?.answer() ?? noAnswer
      resolve({
        outcome: errorClass === null ? 'success' : 'failure',
        status: answer.status,
        errorClass,
        retryAfter: answer.headers['retry-after'] ?? null,
        requestHeaders: { ...maskHeaders(request.ownHeaders ?? {}), ...headers },
        responseHeaders: answer.headers,
        bodyExcerpt: answer.excerpt(),
        durationMs: Math.round(performance.now() - started),
      })
    }
    const cut = (errorClass: ErrorClass): void => {
      end(errorClass)
      posting?.abandon()
    }
    const abort = (): void => cut('aborted')
    const timer = setTimeout(() => cut('timeout'), request.deadlineMs)
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) return abort()
    const begin = async (): Promise<void> => {
      const resolution = await guard.resolver.resolve(url)
      if (isOver) return
      if ('refused' in resolution) return end(resolution.refused)
      const { addresses } = resolution
      const sent = { ...request.ownHeaders, ...headers }
      posting = post({ url, addresses, headers: sent, body }, guard.connections, end)
    }
    begin().catch((error: unknown) => {
      close()
      reject(error)
    })
  })
}
