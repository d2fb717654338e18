import assert from 'node:assert/strict'
import type { LargeRequest } from './requests.ts'

/** Many times the cost of reading and parsing a body; work that grows with its square takes several seconds. */
const maxCpuMs = 500
/** Other processes and garbage collection slow an attempt down now and then, but hardly every attempt. */
const attempts = 12

/** Sends the request, and asserts that the reply is cheap and no failure of the service. */
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

/** Of a refusal: it names what is wrong without repeating it. */
const maxReplyLength = 5000
