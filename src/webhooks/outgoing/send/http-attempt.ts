/** One HTTP attempt under one deadline, from the look-up of the host to the end of the answer. */
import http from 'node:http'
import https from 'node:https'
import { maskHeaders, type OwnHeaders } from '../../subscriptions/header.ts'
import type { AddressGuard } from './address-guard.ts'
import { type Answer, noAnswer, readAnswer } from './response.ts'

export interface HttpRequest {
  url: string
  headers: Record<string, string>
  /** The subscriber's own: sent, and masked in the record. */
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
  /** As the receiver sent it. */
  retryAfter: string | null
  /** As sent, with the subscriber's own masked. */
  requestHeaders: Record<string, string>
  responseHeaders: Record<string, string>
  /** At most 16 KiB of UTF-8. */
  bodyExcerpt: string
  durationMs: number
}

/** Why an attempt failed, for the log and the metrics. */
export type ErrorClass =
  /** The deadline passed. */
  | 'timeout'
  /** The name has no address, or no name server answered. */
  | 'dns'
  /** The name leads to an address that may not be reached. */
  | 'refusedAddress'
  /** The certificate is not valid for the name, or there was no agreement. */
  | 'tls'
  /** No connection was made. */
  | 'connect'
  /** The connection ended before the answer did. */
  | 'reset'
  /** The answer is not HTTP, or its headers are too large. */
  | 'protocol'
  /** The receiver points elsewhere: redirects are not followed. */
  | 'redirect'
  /** Any other status than 2xx. */
  | 'status'
  /** The secrets of the subscription cannot be decrypted, so that nothing was sent: not the receiver's fault. */
  | 'secret'
  /** The service is stopping: not the receiver's fault. */
  | 'aborted'

/** Rejects for nothing that the receiver, its name servers or the network do, and at once for what cannot be sent. */
export function attemptHttp(request: HttpRequest, guard: AddressGuard): Promise<HttpAttempt> {
  const started = performance.now()
  const { body, signal } = request
  const url = new URL(request.url)
  const headers = { ...request.headers, 'Content-Length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    let post: Post | null = null
    let isOver = false
    const close = (): void => {
      isOver = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    const end = (errorClass: ErrorClass | null): void => {
      if (isOver) return
      close()
      const answer = post?.answer() ?? noAnswer
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
      post?.abandon()
    }
    const abort = (): void => cut('aborted')
    const timer = setTimeout(() => cut('timeout'), request.deadlineMs)
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) return abort()
    const begin = async (): Promise<void> => {
      const resolution = await guard.resolve(url)
      if (isOver) return
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
  /** What has arrived so far. */
  answer(): Answer
  /** Closes the connection. */
  abandon(): void
}

interface PostRequest {
  url: URL
  /** Checked. */
  addresses: readonly string[]
  headers: Record<string, string>
  body: string
}

const maxHeaderBytes = 16 * 1024

/** @param done called once or more often; the first call counts */
function startPost(
  { url, addresses, headers, body }: PostRequest,
  guard: AddressGuard,
  done: (errorClass: ErrorClass | null) => void,
): Post {
  let answer = noAnswer
  let isAbandoned = false
  let outgoing = start(false)

  function start(fresh: boolean): http.ClientRequest {
    const { request } = url.protocol === 'https:' ? https : http
    const options = guard.requestOptions(url, addresses, fresh)
    const started = request({ ...options, method: 'POST', headers, maxHeaderSize: maxHeaderBytes })
    started.on('response', (response) => {
      answer = readAnswer(response, (end) => {
        // While the receiver still reads the body, the connection is of no further use.
        if (end !== 'complete' || !started.writableFinished) started.destroy()
        done(end === 'broken' ? 'reset' : classOfStatus(answer.status ?? 0))
      })
    })
    started.on('upgrade', (response, socket) => {
      answer = { ...noAnswer, status: response.statusCode ?? null }
      socket.destroy()
      done('status')
    })
    started.on('error', (error) => fail(started, error))
    started.end(body)
    return started
  }

  /** The receiver may have closed a kept connection a moment before: that says nothing about this request. */
  function fail(failed: http.ClientRequest, error: Error): void {
    const isStale = failed.reusedSocket && answer === noAnswer && classOf(error) === 'reset'
    if (isStale && !isAbandoned) outgoing = start(true)
    else done(classOf(error))
  }

  return {
    answer: () => answer,
    abandon: () => {
      isAbandoned = true
      outgoing.destroy()
    },
  }
}

const tls =
  /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|EPROTO)/

function classOf(error: Error): ErrorClass {
  const code = 'code' in error ? String(error.code) : ''
  if (tls.test(code)) return 'tls'
  if (code.startsWith('HPE_')) return 'protocol'
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'ECONNABORTED' ? 'reset' : 'connect'
}

/** @returns `null` for success */
function classOfStatus(status: number): ErrorClass | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirect' : 'status'
}
