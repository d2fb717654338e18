/** The process of the observer: the well-behaved client, the probe of health, and the delay of its own timers. */
import { get } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { proxyAddress } from './address.ts'
import type { Target } from './target.ts'
import { type Served, WellBehaved } from './well-behaved.ts'

/** Where to go on from now; `null` asks for what was seen since the last time. */
export type Question = { target: Target } | null

export interface Observation extends Served {
  /** Milliseconds of each probe; one that got no 200 counts as all of its time-out. */
  health: number[]
  /** How late a timer of this process was at most: what the machine itself adds to every figure. */
  noiseMs: number
}

const probeEveryMs = 50
const probeTimeoutMs = 5000
const noise = monitorEventLoopDelay({ resolution: 5 })
noise.enable()
let client: WellBehaved | null = null
let port = 0
let health: number[] = []

setInterval(() => port > 0 && void probe(), probeEveryMs)

process.on('message', (question: Question) => {
  if (question === null) return void takeObservation().then((observation) => process.send?.(observation))
  client?.stop()
  client = new WellBehaved(question.target)
  port = question.target.port
  process.send?.(null)
})

async function takeObservation(): Promise<Observation> {
  const served = (await client?.take()) ?? { reads: [], writes: [], faults: {} }
  const observation = { ...served, health, noiseMs: noise.max / 1e6 }
  health = []
  noise.reset()
  return observation
}

/** As an orchestrator asks: on a connection of its own. */
async function probe(): Promise<void> {
  const begin = performance.now()
  const signal = AbortSignal.timeout(probeTimeoutMs)
  const lived = await new Promise<boolean>((done) => {
    get({ host: proxyAddress, port, path: '/health/live', agent: false, signal }, (response) => {
      response.resume().once('end', () => done(response.statusCode === 200))
    }).once('error', () => done(false))
  })
  health.push(lived ? performance.now() - begin : probeTimeoutMs)
}
