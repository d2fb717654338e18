/**
 * The processor time of a look-up in the catalogue on SQLite, in this process: no request around it. Each has a turn of
 * the event loop for itself, which is counted: those of one turn share a snapshot.
 */
import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { installation } from '../../src/core/installation.ts'
import { findApiKeyByDigest } from '../../src/identity/api-key/sql.ts'
import { findSessionOf } from '../../src/identity/session/sql.ts'
import { findAccount } from '../../src/identity/user/sql.ts'
import { person, startService } from '../../test/support/service.ts'
import { type Finding, median, range } from './finding.ts'

export const row = 'look-up'

const targetUs = 8
/** Of rows, so that equal answers cannot be shared. */
const variants = 100
const rounds = 7

interface Known {
  user: string
  session: string
  digest: string
}

/** @param times that each is looked up in a round */
export async function measureLookUps(times: number): Promise<Finding[]> {
  const service = await startService('sqlite')
  try {
    const tenant = await service.newTenant()
    const known: Known[] = []
    for (let index = 0; index < variants; index++) {
      const user = (await tenant.admin.post('/api/users', person(`user-${index}`))).body.id
      const { client } = await service.signIn(`user-${index}`, tenant.id)
      const session = (await client.get('/api/auth/sessions')).body[0].id
      const { key } = (await tenant.admin.post('/api/api-keys', { name: 'Bench', permissions: [] })).body
      known.push({ user, session, digest: hash('sha256', key, 'hex') })
    }
    const all = installation(await service.service.operator(), 'the measurement has no request')
    const catalogue = all.ofTenant(tenant.id)
    const lookUps: [string, (of: Known) => Promise<object | null>][] = [
      ['a user by id', ({ user }) => findAccount(catalogue, user)],
      ['a session of a user by id', ({ user, session }) => findSessionOf(catalogue.ofUser(user), session)],
      ['an API key by its digest', ({ digest }) => findApiKeyByDigest(all, digest)],
    ]
    const findings: Finding[] = []
    for (const [what, lookUp] of lookUps) findings.push(await measure(what, lookUp, known, times))
    return findings
  } finally {
    await service.stop()
  }
}

async function measure(
  what: string,
  lookUp: (of: Known) => Promise<object | null>,
  known: readonly Known[],
  times: number,
): Promise<Finding> {
  const taken: number[] = []
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    const begin = process.cpuUsage()
    for (let done = 0; done < times; done += known.length) {
      for (const each of known) {
        if ((await lookUp(each)) === null) throw new Error(`${what} was not found.`)
        await nextTurn()
      }
    }
    const { user, system } = process.cpuUsage(begin)
    if (round > 0) taken.push((user + system) / times)
  }
  const [least, most] = range(taken)
  const middle = median(taken)
  return {
    row,
    work: `look up ${what}, prepared, on SQLite`,
    figure: `${middle.toFixed(1)} µs`,
    target: `≤ ${targetUs} µs`,
    reached: middle <= targetUs,
    detail: `processor time; ${rounds} rounds of ${times}: ${least.toFixed(1)} to ${most.toFixed(1)} µs`,
  }
}
