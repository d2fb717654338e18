/** A thread of clients that follow lists: it says when each change came to each of them. */
import { request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { sharedNow } from '../shared-clock.ts'

export interface Following {
  url: string
  streams: { key: string; queues: readonly string[] }[]
}

/** `change` is the id of the row and its version; `at` in milliseconds of the clock that all threads share. */
export interface Arrival {
  change: string
  at: number
}

let arrivals: Arrival[] = []

if (parentPort !== null) {
  const { url, streams } = workerData as Following // what `startFollowers` gives
  for (const stream of streams) await follow(url, stream)
  parentPort.on('message', () => {
    parentPort?.postMessage(arrivals)
    arrivals = []
  })
  parentPort.postMessage('ready')
}

/** @returns when the service has begun to send changes */
function follow(url: string, { key, queues }: Following['streams'][number]): Promise<void> {
  const list = (queue: string) => ({ entity: 'ticket', filter: { queue }, fields: 'id,title,level' })
  const body = JSON.stringify({ lists: Object.fromEntries(queues.map((queue) => [queue, list(queue)])) })
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/live`, { method: 'POST', headers, agent: false }, (response) => {
      response.setEncoding('utf8')
      let unread = ''
      response.on('data', (chunk: string) => {
        if (response.statusCode !== 200) return reject(new Error(chunk))
        const blocks = `${unread}${chunk}`.split('\n\n')
        unread = blocks.pop() ?? ''
        for (const block of blocks) take(block, resolve)
      })
      response.on('end', () => {
        throw new Error('The service ended a stream.')
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function take(block: string, begin: () => void): void {
  const at = sharedNow()
  if (block.startsWith('event: ready')) begin()
  else if (block.startsWith('event: change')) {
    const { id, version } = JSON.parse(block.slice(block.indexOf('data: ') + 6))
    arrivals.push({ change: `${id} ${version}`, at })
  } else if (!block.startsWith('event: cursor')) throw new Error(`The service sent ${block}`)
}
