/** Sends requests to servers that tenants choose, such as identity providers: guarded, bounded in time and in bytes. */
import http from 'node:http'
import https from 'node:https'
import type { AddressGuard } from './address-guard.ts'

export interface GuardedRequest {
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string
}

export interface GuardedResponse {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

/** Why there is no response. Its message names neither addresses nor content, and may be shown to administrators. */
export class OutgoingFailure extends Error {}

export interface FetchLimits {
  /** The time limit from the look-up of the name to the end of the response. */
  timeoutMs: number
  maxBytes: number
}

const maxHeaderBytes = 16 * 1024

/** Sends a request. Redirects are returned, not followed. @throws OutgoingFailure */
export async function guardedFetch(
  guard: AddressGuard,
  url: URL,
  { method = 'GET', headers = {}, body }: GuardedRequest,
  { timeoutMs, maxBytes }: FetchLimits,
): Promise<GuardedResponse> {
  const signal = AbortSignal.timeout(timeoutMs)
  const tooLate = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new OutgoingFailure('The server took too long.')))
  })
  const exchange = async (): Promise<GuardedResponse> => {
    const resolution = await guard.resolve(url)
    if ('refused' in resolution) throw new OutgoingFailure(refusals[resolution.refused])
    const pinned = guard.requestOptions(url, resolution.addresses, true)
    const options = { ...pinned, method, headers, signal, maxHeaderSize: maxHeaderBytes }
    return request(url.protocol === 'https:' ? https : http, options, { body, maxBytes })
  }
  return Promise.race([exchange(), tooLate])
}

const refusals = {
  dns: 'The name of the server has no address.',
  refusedAddress: 'The address of the server may not be reached from here.',
}

function request(
  protocol: Pick<typeof http, 'request'>,
  options: http.RequestOptions,
  { body, maxBytes }: { body: string | undefined; maxBytes: number },
): Promise<GuardedResponse> {
  return new Promise((resolve, reject) => {
    let message: http.IncomingMessage | null = null
    const fail = (cause: Error): void => {
      if (message?.complete === true && !(cause instanceof OutgoingFailure)) return // bytes after the response
      const own = cause instanceof OutgoingFailure
      reject(own ? cause : new OutgoingFailure('The connection to the server failed.', { cause }))
    }
    const started = protocol.request(options, (response) => {
      message = response
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes <= maxBytes) return void chunks.push(chunk)
        fail(new OutgoingFailure('The response of the server is too long.'))
        started.destroy()
      })
      response.on('error', fail)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: headersOf(response),
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      )
    })
    started.on('upgrade', (_response, socket) => {
      socket.destroy()
      fail(new OutgoingFailure('The server has answered with another protocol.'))
    })
    started.on('error', fail)
    started.end(body)
  })
}

/** @returns the headers of a response as texts; repeated headers are joined */
export function headersOf({ headers }: http.IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]))
}
