/** A daily job for each of very many tenants: how many begin in any second, and what a reader notices. */
import { setTimeout as sleep } from 'node:timers/promises'
import { insertTenants } from '../../test/jobs/tenants.ts'
import { expectJson, type Send } from '../client.ts'
import { type Server, startServer } from '../process.ts'
import type { Finding } from '../row/finding.ts'
import { initialize, makeFolder, removeFolder, signIn } from '../service.ts'

export const row = 'daily-jobs'

export interface DailyEffort {
  tenants: number
  /** Less than the 600 seconds of the default, so that more begin in a second. */
  spreadSeconds: number
}

/** Of the average: places are as if drawn by lot. */
const maxShare = 2
/** Reads of a steady caller. */
const readEveryMs = 10
const minIdleMs = 30_000

export async function measureDailyJobs({ tenants, spreadSeconds }: DailyEffort): Promise<Finding[]> {
  const folder = makeFolder()
  const prepared = await start(folder)
  await initialize(prepared.url)
  await prepared.stop()
  await insertTenants(`sqlite:${folder}/data/tenantry.db`, tenants)

  const at = nextMinute()
  const cron = `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`
  const server = await start(folder, { DAILY_CRON: cron, DAILY_SPREAD_SECONDS: `${spreadSeconds}` })
  const { send } = await signIn(server.url, 'admin')
  const idle = await readWhile(send, async () => Date.now() < at.getTime())
  // The host tenant has a job as well.
  const meanwhile = await readWhile(send, async () => count(await begunPerSecond(send)) <= tenants)
  const perSecond = await begunPerSecond(send)
  await server.stop()
  removeFolder(folder)

  const average = tenants / spreadSeconds
  const most = Math.max(...perSecond)
  const work = `a daily job for each of ${tenants} tenants, spread over ${spreadSeconds} s`
  return [
    {
      row,
      work: `${work}: the most that begin in a second`,
      figure: `${most}`,
      target: `≤ ${(maxShare * average).toFixed(0)}`,
      reached: most <= maxShare * average,
      detail: `${average.toFixed(0)} on average, on SQLite; each job publishes an event`,
    },
    {
      row,
      work: `${work}: p99 of reads meanwhile`,
      figure: `${p99(meanwhile).toFixed(1)} ms`,
      target: null,
      reached: true,
      detail: `${p99(idle).toFixed(1)} ms before; ${meanwhile.length} reads, the slowest ${Math.max(...meanwhile).toFixed(0)} ms`,
    },
  ]
}

function start(folder: string, settings: Record<string, string> = {}): Promise<Server> {
  const command = ['test/jobs/daily-app.ts', 'serve']
  return startServer({ command, folder, settings, readyPath: '/health/ready' })
}

/** Late enough for the start and for reads before it. */
function nextMinute(): Date {
  const minuteMs = 60_000
  return new Date(Math.ceil((Date.now() + minIdleMs) / minuteMs) * minuteMs)
}

async function begunPerSecond(send: Send): Promise<number[]> {
  return (await expectJson<{ perSecond: number[] }>(send('GET', '/api/daily'), 200)).perSecond
}

function count(perSecond: readonly number[]): number {
  return perSecond.reduce((sum, each) => sum + each, 0)
}

/** @param goesOn asked once a second @returns how long each read took */
async function readWhile(send: Send, goesOn: () => Promise<boolean>): Promise<number[]> {
  const times: number[] = []
  while (await goesOn()) {
    for (const until = performance.now() + 1000; performance.now() < until; await sleep(readEveryMs)) {
      const began = performance.now()
      await expectJson(send('GET', '/api/products?limit=1'), 200)
      times.push(performance.now() - began)
    }
  }
  return times
}

function p99(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? Number.NaN
}
