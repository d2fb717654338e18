import assert from 'node:assert/strict'
import type { LargeRequest } from './requests.ts'

/** A few times what reading and parsing one take; what grows with the square of a body takes minutes. */
const maxCpuMs = 500
/** Other processes and garbage make one slow now and then, but hardly the same one each time. */
const attempts = 4

/** Sends it, and asserts that it is answered without a failure of the service, and soon. */
export async function assertCheap({ title, send }: LargeRequest): Promise<void> {
  let leastMs = Infinity
  for (let attempt = 0; attempt < attempts && leastMs > maxCpuMs; attempt++) {
    const before = process.cpuUsage()
    const { status, text } = await send()
    const { user, system } = process.cpuUsage(before)
    leastMs = Math.min(leastMs, (user + system) / 1000)
    assert.ok(status < 500, `${title}: ${status} ${text.slice(0, 300)}`)
    assert.ok(text.length < maxReplyLength || status < 400, `${title}: told in ${text.length} characters`)
  }
  assert.ok(leastMs <= maxCpuMs, `${title}: ${leastMs} ms of the processor`)
}

/** Of a refusal: what is wrong is told, not repeated. */
const maxReplyLength = 5000
