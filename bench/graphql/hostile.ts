/** How long hostile requests keep the one thread of the service busy until they are refused. */
import { type HostileRequest, hostileRequests } from '../../test/api/graphql/document/hostile-documents.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { type Finding, median } from '../row/finding.ts'
import type { GraphQLAnswer } from './stage.ts'

export const row = 'hostile'

const targetMs = 20

interface Timed {
  title: string
  firstMs: number
  medianMs: number
}

/** @param times that each is sent */
export async function measureHostile(times: number): Promise<Finding> {
  const service = await startService('sqlite')
  const refused: Timed[] = []
  const answered: Timed[] = []
  for (const [title, request] of Object.entries(hostileRequests)) {
    const send = await senderOf(service) // what one request costs leaves the others their budget
    const took: number[] = []
    while (took.length < times) took.push(await send(request))
    const timed = { title, firstMs: took[0] ?? Number.NaN, medianMs: median(took) }
    if (request.code === null) answered.push(timed)
    else refused.push(timed)
  }
  await service.stop()
  const slowest = slowestBy(refused, 'medianMs')
  const first = slowestBy(refused, 'firstMs')
  const other = slowestBy(answered, 'medianMs')
  return {
    row,
    work: `refusing the slowest of ${refused.length} hostile requests`,
    figure: inMs(slowest.medianMs),
    target: `≤ ${targetMs} ms`,
    reached: slowest.medianMs <= targetMs,
    detail: `processor time, median of ${times}: ${slowest.title}; the slowest when it comes first ${inMs(first.firstMs)}: ${first.title}; of ${answered.length} that are answered ${inMs(other.medianMs)}`,
  }
}

/** Without sockets. @returns sends it, and gives the processor time in milliseconds */
async function senderOf(service: TestService): Promise<(request: HostileRequest) => Promise<number>> {
  const { user } = await service.newTenant()
  const headers = { ...user.headers, 'content-type': 'application/json' }
  return async ({ code, ...request }) => {
    const payload = JSON.stringify(request)
    const begin = process.threadCpuUsage()
    const answer = await service.service.app.inject({ method: 'POST', url: '/graphql', headers, payload })
    const took = process.threadCpuUsage(begin)
    const { errors = [] }: GraphQLAnswer = answer.json()
    if ((errors[0]?.extensions.code ?? null) !== code) throw new Error(`Not ${code}: ${answer.body}`)
    return (took.user + took.system) / 1000
  }
}

function slowestBy(timed: readonly Timed[], figure: 'firstMs' | 'medianMs'): Timed {
  return timed.reduce((slowest, each) => (each[figure] > slowest[figure] ? each : slowest))
}

function inMs(ms: number): string {
  return `${ms.toFixed(1)} ms`
}
