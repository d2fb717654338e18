/** The load generator: a process of its own, so that what it costs is not the servers' time. */
import type { Answer } from './answer.ts'
import { type Caller, keepAsking } from './connection.ts'
import type { Job, LoadRequest, Outcome } from './job.ts'

/** GraphQL fields that failed are answered with 200. */
const graphqlErrors = '{"errors"'

process.on('message', (job: Job) => {
  run(job).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
      process.exit(1)
    },
  )
})

async function run(job: Job): Promise<Outcome> {
  const requests = job.requests.map(toBytes)
  const begin = performance.now()
  let turn = 0
  let answers = 0
  let faults = 0
  let due = 0
  const caller: Caller = {
    // Nobody waits past the end: that time would count, and nothing be asked in it.
    pauseMs: () =>
      job.perSecond === null
        ? 0
        : begin + Math.min((due++ * 1000) / job.perSecond, job.ms) - performance.now(),
    next: () => (performance.now() - begin < job.ms ? (requests[turn++ % requests.length] ?? null) : null),
    answered: (answer) => {
      if (isRight(answer, job)) answers++
      else faults++
    },
  }
  const connections = Array.from({ length: job.connections }, (_, index) => portOf(job, index))
  await Promise.all(connections.map((port) => keepAsking(port, caller)))
  return { answers, faults, seconds: (performance.now() - begin) / 1000 }
}

function isRight({ status, body }: Answer, { expectedStatus, expectedText }: Job): boolean {
  if (status !== expectedStatus) return false
  if (status === 200 && body.toString('latin1', 0, graphqlErrors.length) === graphqlErrors) return false
  return !expectedText || timesIn(body, expectedText.text) === expectedText.times
}

function timesIn(body: Buffer, text: string): number {
  let times = 0
  for (let at = body.indexOf(text); at >= 0; at = body.indexOf(text, at + text.length)) times++
  return times
}

function portOf({ ports }: Job, connection: number): number {
  const port = ports[connection % ports.length]
  if (port === undefined) throw new Error('There is nobody to ask.')
  return port
}

function toBytes({ method, path, headers, body }: LoadRequest): Uint8Array {
  const length = body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` }
  const fields = Object.entries({ host: 'localhost', ...headers, ...length })
  const head = [`${method} ${path} HTTP/1.1`, ...fields.map(([name, value]) => `${name}: ${value}`)]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body ?? ''}`)
}
