import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { Caller, type Reply } from './caller.ts'

const pauseMs = 50

/** Retries requests that were answered with 503, as documented, until there is another answer. */
export class PatientCaller extends Caller {
  /** How many answers were refusals. */
  refused = 0
  /** The longest time until an answer. */
  longestMs = 0

  override async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    for (let isRepeated = false; ; isRepeated = true) {
      const began = performance.now()
      const reply = await super.send(method, path, body, headers)
      this.longestMs = Math.max(this.longestMs, performance.now() - began)
      if (!isRefusal(reply)) return { ...reply, isRepeated: isRepeated || reply.isRepeated }
      this.refused++
      await delay(pauseMs)
    }
  }
}

/** GraphQL reports it as the error of a field. */
function isRefusal({ status, headers, body }: Reply): boolean {
  if (status === 503) assert.match(headers.get('retry-after') ?? '', /^\d+$/)
  return status === 503 || body?.errors?.[0]?.extensions?.code === 'UNAVAILABLE'
}
