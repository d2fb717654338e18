import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { Caller, type Reply } from './caller.ts'

const pauseMs = 50

/** Asks again what was refused for now, in the way that is promised, until it has another answer. */
export class PatientCaller extends Caller {
  /** How many answers were refusals. */
  refused = 0
  /** What one answer took at most, whichever it was. */
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

/** GraphQL says it of a field. */
function isRefusal({ status, headers, body }: Reply): boolean {
  if (status === 503) assert.match(headers.get('retry-after') ?? '', /^\d+$/)
  return status === 503 || body?.errors?.[0]?.extensions?.code === 'UNAVAILABLE'
}
