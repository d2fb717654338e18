/**
 * Requests to addresses of the settings or of the machine, bounded in time and in bytes. What tenants choose goes
 * through `guarded-fetch.ts`, which refuses private addresses.
 */

import { type FetchLimits, type GuardedRequest, OutgoingFailure } from './guarded-fetch.ts'

/** Sends a request, and refuses redirects. @throws OutgoingFailure, whose message names no address */
export async function boundedFetch(
  url: URL,
  request: GuardedRequest,
  { timeoutMs, maxBytes }: FetchLimits,
): Promise<{ status: number; body: string }> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, { ...request, redirect: 'error', signal })
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of response.body ?? []) {
      length += chunk.length
      if (length > maxBytes) throw new OutgoingFailure('The answer is too long.')
      chunks.push(chunk)
    }
    return { status: response.status, body: Buffer.concat(chunks).toString() }
  } catch (error) {
    if (error instanceof OutgoingFailure) throw error
    const reason = signal.aborted ? 'The server took too long.' : 'The server cannot be reached.'
    throw new OutgoingFailure(reason, { cause: error })
  }
}
