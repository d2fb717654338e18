/** Sends requests to a store that speaks the protocol of S3. */

import { createReadStream } from 'node:fs'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { LocalFile } from '../../core/file-store.ts'
import { errorCode } from '../../database/thrown.ts'
import type { AccessKeySource } from './credentials.ts'
import { type S3Credentials, signedHeaders } from './signature-v4.ts'

export interface S3Request {
  method: 'GET' | 'PUT' | 'DELETE'
  url: URL
  headers?: Readonly<Record<string, string>>
  body?: LocalFile
}

/** The region and the credentials with which requests are signed. */
export interface S3Access {
  region: string
  source: AccessKeySource
}

/** The request fails if the store sends no byte for this time. */
const idleMs = 20_000
/** A download may pause longer, because its client decides how fast it is read. */
const downloadIdleMs = 5 * 60_000
const maxErrorBytes = 4096
/** SHA-256 of no bytes. */
export const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** The store has answered with an error. */
class S3Failure extends Error {
  readonly status: number

  constructor(status: number, detail: string) {
    super(`The store answered ${status}: ${detail}`)
    this.status = status
  }
}

/** The pauses before further attempts, such as after 503 SlowDown or a closed connection. */
const pausesMs = [100, 400]
const maxRedirects = 3

/**
 * Sends a request, and repeats it after a temporary failure. Every request can be repeated,
 * because a content never changes.
 * @returns the response of a success, whose body the caller must read or destroy @throws
 *   S3Failure; errors of the network
 */
export async function sendToS3(request: S3Request, access: S3Access): Promise<IncomingMessage> {
  const lastStartMs = performance.now() + idleMs
  for (const pauseMs of pausesMs) {
    try {
      return await attempt(request, access)
    } catch (error) {
      if (!isTemporary(error) || performance.now() + pauseMs > lastStartMs) throw error
    }
    await delay(pauseMs * (0.5 + Math.random()))
  }
  return attempt(request, access)
}

/** Makes one attempt. If the store says that the credentials have expired, the next attempt gets new ones. */
async function attempt(request: S3Request, { region, source }: S3Access): Promise<IncomingMessage> {
  const key = await source.get()
  try {
    return await follow(request, { region, ...key })
  } catch (error) {
    if (isExpired(error)) source.drop(key)
    throw error
  }
}

function isExpired(error: unknown): boolean {
  return error instanceof S3Failure && error.message.includes('<Code>ExpiredToken</Code>')
}

function isTemporary(error: unknown): boolean {
  if (error instanceof S3Failure) return error.status >= 500 || isExpired(error)
  const code = errorCode(error)
  return code === 'ECONNRESET' || code === 'EPIPE'
}

/** Follows redirects: the store answers 307 for a new bucket. The request is signed anew for each address. */
async function follow(request: S3Request, credentials: S3Credentials): Promise<IncomingMessage> {
  let { url } = request
  for (let redirects = 0; ; redirects++) {
    const response = await send({ ...request, url }, credentials, new Date())
    const status = response.statusCode ?? 0
    if (status >= 200 && status < 300) return response
    const location = status === 307 ? URL.parse(response.headers.location ?? '', url) : null
    if (location === null || location.protocol !== url.protocol || redirects === maxRedirects)
      throw new S3Failure(status, await excerptOf(response))
    response.resume()
    url = location
  }
}

/** Signs and sends the request. @returns the response, whatever its status is */
async function send(
  { method, url, headers = {}, body }: S3Request,
  credentials: S3Credentials,
  date: Date,
): Promise<IncomingMessage> {
  const given = { ...headers, ...(body !== undefined && { 'content-length': `${body.size}` }) }
  const unsigned = { method, url, headers: given, bodyHash: body?.sha256 ?? emptyHash }
  const { request } = url.protocol === 'https:' ? https : http
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const call = request(url, { method, headers: signedHeaders(unsigned, credentials, date) }, resolve)
  call.on('error', reject)
  call.setTimeout(idleMs, () =>
    call.destroy(new Error('Nothing was sent to the store, or by it, for too long.')),
  )
  if (body === undefined) call.end()
  else pipeline(createReadStream(body.path), call).catch(reject)
  const response = await promise
  call.setTimeout(downloadIdleMs)
  return response
}

async function excerptOf(response: IncomingMessage): Promise<string> {
  if (Number(response.headers['content-length'] ?? 0) > maxErrorBytes) {
    response.destroy()
    return 'a long error'
  }
  return (await text(response)).slice(0, maxErrorBytes)
}
