/** Many tenants, each with a database file of its own, in one process. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { callerOf, expectJson, mapAtOnce, type Send } from '../client.ts'
import { initialize, type RunningService, removeFolder, startService } from '../service.ts'
import { issueTokens } from '../tokens.ts'
import { residentMb } from '../usage.ts'
import { type Finding, median } from './finding.ts'

const targetSwitchMs = 1
/** Resident memory moves by itself; what each reopened database leaves behind would add up to more. */
const targetGrowth = 0.1
const atOnce = 8
const settleMs = 2000
/** As with the default settings: 200 of 1 000 databases are kept open. */
const shareOpen = 0.2
const rotations = 20

interface Caller {
  id: string
  send: Send
}

export async function measureTenants(count: number): Promise<Finding[]> {
  const begin = performance.now()
  const masterKey = randomBytes(32).toString('base64')
  const open = Math.ceil(count * shareOpen)
  const service = await startService({ MASTER_KEY: masterKey, OPEN_TENANT_DATABASES: `${open}` })
  const host = (await initialize(service.url)).send
  const tenants = await createTenants(service, masterKey, host, count)
  const createdSeconds = (performance.now() - begin) / 1000
  const firstMb = await useAll(service, tenants)
  const secondMb = await useAll(service, tenants)
  const times = await timeRequests(host, tenants, open)
  await service.stop()
  removeFolder(service.folder)
  const switchMs = times.openMs - times.sharedMs
  const growth = secondMb / firstMb - 1
  const row = 'tenants'
  return [
    {
      row,
      work: `${count} tenants with a database each`,
      figure: 'no errors',
      target: 'no errors',
      reached: true,
      detail: `created in ${createdSeconds.toFixed(0)} s, ${open} kept open; a write and a read in each, twice`,
    },
    {
      row,
      work: 'memory grown by using all of them again',
      figure: `${(growth * 100).toFixed(0)} %`,
      target: `≤ ${targetGrowth * 100} %`,
      reached: growth <= targetGrowth,
      detail: `${firstMb.toFixed(0)} → ${secondMb.toFixed(0)} MB`,
    },
    {
      row,
      work: 'tenant switch, database open',
      figure: `${switchMs.toFixed(2)} ms`,
      target: `≤ ${targetSwitchMs} ms`,
      reached: switchMs <= targetSwitchMs,
      detail: `median GET ${times.openMs.toFixed(2)} ms, in the shared database ${times.sharedMs.toFixed(2)} ms`,
    },
    {
      row,
      work: 'tenant switch, database to be reopened',
      figure: `${(times.reopenedMs - times.sharedMs).toFixed(2)} ms`,
      target: null,
      reached: true,
      detail: `median GET ${times.reopenedMs.toFixed(2)} ms`,
    },
  ]
}

async function createTenants(service: RunningService, masterKey: string, host: Send, count: number) {
  const ids = Array.from({ length: count }, (_, index) => `tenant-${index}`)
  await mapAtOnce(ids, atOnce, (id) =>
    expectJson(host('POST', '/api/tenants', { id, name: id, connectionString: `sqlite:${id}.db` }), 201),
  )
  const tokens = await issueTokens(service, masterKey, ids)
  return ids.map((id, index) => ({
    id,
    send: callerOf(service.url, { authorization: `Bearer ${tokens[index]}` }),
  }))
}

/** A write and a read in each. @returns resident memory afterwards */
async function useAll(service: RunningService, tenants: Caller[]): Promise<number> {
  await mapAtOnce(tenants, atOnce, async ({ id, send }) => {
    const name = `Desk of ${id}`
    const made = await expectJson<{ id: string }>(send('POST', '/api/products', { name, price: 19.99 }), 201)
    const read = await expectJson<{ name: string }>(send('GET', `/api/products/${made.id}`), 200)
    if (read.name !== name) throw new Error(`${id} read ${read.name}.`)
  })
  await sleep(settleMs)
  return residentMb(service.pid)
}

async function timeRequests(host: Send, tenants: Caller[], open: number) {
  const opened = tenants.slice(0, open / 2)
  await mapAtOnce(opened, 1, ({ send }) => time(send))
  const sharedMs: number[] = []
  const openMs: number[] = []
  for (let rotation = 0; rotation < rotations; rotation++) {
    for (const { send } of opened) {
      sharedMs.push(await time(host))
      openMs.push(await time(send))
    }
  }
  const closed = tenants.slice(open, 2 * open)
  const reopenedMs = await mapAtOnce(closed, 1, ({ send }) => time(send))
  return { sharedMs: median(sharedMs), openMs: median(openMs), reopenedMs: median(reopenedMs) }
}

async function time(send: Send): Promise<number> {
  const begin = performance.now()
  await expectJson(send('GET', '/api/products?limit=1'), 200)
  return performance.now() - begin
}
