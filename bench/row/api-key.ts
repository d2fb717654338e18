/** Requests per second with an API key, and with an access token of the same permissions. */
import { callerOf, expectJson } from '../client.ts'
import type { Load } from '../load/load.ts'
import { initialize, removeFolder, startService } from '../service.ts'
import type { Finding } from './finding.ts'
import { prepare, sideOf, type Work, works } from './throughput.ts'
import { compareInTurn, type Rounds } from './turns.ts'

export const row = 'api-key'

const target = 0.95

export async function measureApiKey(load: Load, rounds: Rounds): Promise<Finding> {
  const service = await startService({})
  const { token } = await initialize(service.url)
  const byToken = await prepare(service, token)
  const send = callerOf(service.url, { authorization: `Bearer ${token}` })
  const input = { name: 'Bench', permissions: await permissionsOf(send) }
  const { key } = await expectJson<{ key: string }>(send('POST', '/api/api-keys', input), 201)
  const byKey = { ...byToken, headers: { ...byToken.headers, authorization: `Bearer ${key}` } }
  const comparison = await compareInTurn(
    load,
    { ours: sideOf(read(), byKey), other: sideOf(read(), byToken) },
    rounds,
  )
  await service.stop()
  removeFolder(service.folder)
  return {
    row,
    work: 'GET product by id with an API key against with a token',
    figure: comparison.figure,
    target: `≥ ${target.toFixed(2)}`,
    reached: comparison.ratio >= target,
    detail: `key ${comparison.ours}; token ${comparison.other}`,
  }
}

async function permissionsOf(send: ReturnType<typeof callerOf>): Promise<string[]> {
  const permissions = await expectJson<{ name: string }[]>(send('GET', '/api/permissions'), 200)
  return permissions.map(({ name }) => name)
}

function read(): Work {
  const work = works.find(({ row: name }) => name === 'read')
  if (work === undefined) throw new Error('There is no row read.')
  return work
}
