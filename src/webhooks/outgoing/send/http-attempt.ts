/** One HTTP attempt under one deadline, from the look-up of the host to the end of the response. */

import http from 'node:http'
import https from 'node:https'
import type { AddressGuard } from '../../../core/outgoing/address-guard.ts'
import { errorCode } from '../../../database/thrown.ts'
import { maskHeaders, type OwnHeaders } from '../../subscriptions/header.ts'
import { noResponse, type ReceivedResponse, readResponse } from './response.ts'

export interface HttpRequest {
  url: string
  headers: Record<string, string>
  /** Headers of the subscription: sent, but masked in the log. */
  ownHeaders?: OwnHeaders
  body: string
  deadlineMs: number
  /** Ends the attempt with the class `aborted`. */
  signal?: AbortSignal
}

export interface HttpAttempt {
  outcome: 'success' | 'failure'
  status: number | null
  errorClass: ErrorClass | null
  /** The header `Retry-After` of the response. */
  retryAfter: string | null
  /** The headers as they were sent. The values of the subscription's headers are masked. */
  requestHeaders: Record<string, string>
  responseHeaders: Record<string, string>
  /** The beginning of the body: at most 16 KiB of UTF-8. */
  bodyExcerpt: string
  durationMs: number
}

/** Why an attempt failed, for the log and the metrics. */
export type ErrorClass =
  /** The deadline passed. */
  | 'timeout'
  /** The name has no address, or no name server answered. */
  | 'dns'
  /** The name has an address that may not be reached. */
  | 'refusedAddress'
  /** The certificate is not valid for the name, or the handshake failed. */
  | 'tls'
  /** No connection was made. */
  | 'connect'
  /** The connection ended before the response did. */
  | 'reset'
  /** The response is not HTTP, or its headers are too large. */
  | 'protocol'
  /** A redirect, which is not followed. */
  | 'redirect'
  /** Any other status than 2xx. */
  | 'status'
  /** The secrets of the subscription cannot be decrypted, and nothing was sent. */
  | 'secret'
  /** The service is stopping. */
  | 'aborted'

/** Rejects only for a request that cannot be sent. Failures of the receiver and of the network are results. */
export function attemptHttp(request: HttpRequest, guard: AddressGuard): Promise<HttpAttempt> {
  const started = performance.now()
  const { body, signal } = request
  const url = new URL(request.url)
  const headers = { ...request.headers, 'Content-Length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    let post: Post | null = null
    let isEnded = false
    const close = (): void => {
      isEnded = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    const end = (errorClass: ErrorClass | null): void => {
      if (isEnded) return
      close()
      const response = post?.response() ?? noResponse
      resolve({
        outcome: errorClass === null ? 'success' : 'failure',
        status: response.status,
        errorClass,
        retryAfter: response.headers['retry-after'] ?? null,
        requestHeaders: { ...maskHeaders(request.ownHeaders ?? {}), ...headers },
        responseHeaders: response.headers,
        bodyExcerpt: response.excerpt(),
        durationMs: Math.round(performance.now() - started),
      })
    }
    const cut = (errorClass: ErrorClass): void => {
      end(errorClass)
      post?.abandon()
    }
    const abort = (): void => cut('aborted')
    const timer = setTimeout(() => cut('timeout'), request.deadlineMs)
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) return abort()
    const begin = async (): Promise<void> => {
      const resolution = await guard.resolve(url)
      if (isEnded) return
      if ('refused' in resolution) return end(resolution.refused)
      const { addresses } = resolution
      post = startPost({ url, addresses, headers: { ...request.ownHeaders, ...headers }, body }, guard, end)
    }
    begin().catch((error: unknown) => {
      close()
      reject(error)
    })
  })
}

/** A POST without a deadline of its own. */
interface Post {
  /** The part of the response that has arrived so far. */
  response(): ReceivedResponse
  /** Closes the connection. */
  abandon(): void
}

interface PostRequest {
  url: URL
  /** The addresses of the host, which were checked to be allowed. No other address is connected to. */
  addresses: readonly string[]
  headers: Record<string, string>
  body: string
}

const maxHeaderBytes = 16 * 1024

/** @param done may be called more than once; the first call counts */
function startPost(
  { url, addresses, headers, body }: PostRequest,
  guard: AddressGuard,
  done: (errorClass: ErrorClass | null) => void,
): Post {
  let received = noResponse
  let message: http.IncomingMessage | null = null
  let isAbandoned = false
  let outgoing = start(false)

  function start(isFresh: boolean): http.ClientRequest {
    const { request } = url.protocol === 'https:' ? https : http
    const options = guard.requestOptions(url, addresses, isFresh)
    const started = request({ ...options, method: 'POST', headers, maxHeaderSize: maxHeaderBytes })
    started.on('response', (response) => {
      message = response
      received = readResponse(response, (end) => {
        // The connection cannot be reused while the receiver still reads the body.
        if (end !== 'complete' || !started.writableFinished) started.destroy()
        done(end === 'broken' ? 'reset' : classOfStatus(received.status ?? 0))
      })
    })
    started.on('upgrade', (response, socket) => {
      received = { ...noResponse, status: response.statusCode ?? null }
      socket.destroy()
      done('status')
    })
    started.on('error', (error) => fail(started, error))
    started.end(body)
    return started
  }

  /**
   * Retries on a fresh connection if the receiver has closed the kept one, or has sent more than its last response
   * there, which is no failure of this request.
   */
  function fail(failed: http.ClientRequest, error: Error): void {
    // Bytes after the end of a response, such as content of a 204 (RFC 9110, section 15.3.5), are not part of it.
    if (message?.complete === true) return
    const errorClass = classOf(error)
    const isStale = failed.reusedSocket && message === null && /^(reset|protocol)$/.test(errorClass)
    if (isStale && !isAbandoned) outgoing = start(true)
    else done(errorClass)
  }

  return {
    response: () => received,
    abandon: () => {
      isAbandoned = true
      outgoing.destroy()
    },
  }
}

/** Codes of Node.js and OpenSSL for invalid certificates and failed handshakes. */
const tlsCodes =
  /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|EPROTO)/

function classOf(error: Error): ErrorClass {
  const code = errorCode(error)
  if (tlsCodes.test(code)) return 'tls'
  if (code.startsWith('HPE_')) return 'protocol' // the HTTP parser of Node.js
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'ECONNABORTED' ? 'reset' : 'connect'
}

/** @returns `null` for success */
function classOfStatus(status: number): ErrorClass | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirect' : 'status'
}
