/** Before anything is measured: every variant is answered as it should be, and each differently. */
import { mapAtOnce } from '../client.ts'
import type { LoadRequest } from '../load/job.ts'
import { workNames } from '../speed/works.ts'
import type { Contender } from './contender.ts'

const atOnce = 8

/** @throws Error that names what a server answered wrongly */
export async function verify({ name, server, works }: Contender): Promise<void> {
  for (const work of workNames) {
    const { requests, expectedStatus, expectedText } = works[work]
    if (!expectedText) throw new Error(`${name}, ${work}: nothing says how many rows its replies have.`)
    const replies = await mapAtOnce(requests, atOnce, (request) => reply(server.url, request))
    for (const { status, text } of replies) {
      const times = text.split(expectedText.text).length - 1
      if (status === expectedStatus && times === expectedText.times) continue
      throw new Error(`${name}, ${work}: ${status} with ${times} rows: ${text.slice(0, 500)}`)
    }
    const different = new Set(replies.map(({ text }) => text)).size
    if (different < requests.length)
      throw new Error(`${name}, ${work}: ${requests.length} requests had ${different} replies.`)
  }
}

async function reply(url: string, { path, ...request }: LoadRequest) {
  const response = await fetch(`${url}${path}`, request)
  return { status: response.status, text: await response.text() }
}
