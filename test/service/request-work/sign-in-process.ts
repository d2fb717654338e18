/** A process that signs in to a service of its own, and counts what that takes. */
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { DefaultQueryCompiler } from 'kysely'
import { CollectedMails } from '../../../src/testing/collected-mails.ts'
import { newFactorUser } from '../../support/authenticator-app.ts'
import type { Answer } from '../../support/client.ts'
import { TestClock } from '../../support/clock.ts'
import type { DatabaseName } from '../../support/databases.ts'
import { password, startService } from '../../support/service.ts'
import { sent } from './sent.ts'
import { type SignIn, usualTrips } from './sign-in-trips.ts'

export interface Work {
  /** Statements that were built for it. */
  built: number
  trips: number
}

interface Step {
  /** What is not counted. */
  prepare?(): Promise<void>
  send(): Promise<Answer>
  status: number
}

/**
 * The first time builds statements. What the service does by itself may fall into one of the others, and into each of
 * them on a busy machine, where a request takes long: more are counted until one takes no more than usual.
 */
const minTimes = 4
const maxTimes = 40
const quietMs = 50

let built = 0
const { compileQuery } = DefaultQueryCompiler.prototype
DefaultQueryCompiler.prototype.compileQuery = function countedCompile(
  this: DefaultQueryCompiler,
  ...given: Parameters<typeof compileQuery>
) {
  built++
  return Reflect.apply(compileQuery, this, given)
}

const database = process.argv[2] as DatabaseName
const clock = new TestClock()
const service = await startService(database, {}, { clock: clock.now, mailTransport: new CollectedMails() })
const tenant = await service.newTenant()
const user = await newFactorUser(service, clock, tenant.id)

let places = 0
/** Few sign-ins from one address are allowed in a minute. */
const fromNewPlace = () =>
  service.anonymous.with({ 'x-forwarded-for': `10.1.2.${++places}`, 'x-tenant-id': tenant.id })
let caller = fromNewPlace()
let refreshToken = ''
let token = ''
let key = ''

async function login(userName: string): Promise<Answer> {
  const answer = await caller.post('/api/auth/login', { userName, password })
  refreshToken = answer.body.refreshToken ?? refreshToken
  token = answer.headers.get('x-mfa-token') ?? token
  return answer
}

const steps: Record<SignIn, Step> = {
  password: { send: () => login('worker'), status: 200 },
  refresh: {
    prepare: async () => void (await login('worker')),
    send: () => caller.post('/api/auth/refresh', { refreshToken }),
    status: 200,
  },
  firstFactor: { send: () => login(user.userName), status: 401 },
  secondFactor: {
    prepare: async () => void (await login(user.userName)),
    send: () => caller.post('/api/auth/mfa/verify', { token, code: user.app.nextCode() }),
    status: 200,
  },
  apiKey: {
    prepare: async () => {
      const made = await tenant.admin.post('/api/api-keys', { name: 'Shop', permissions: ['role:read'] })
      key = made.body.key
    },
    send: () => service.anonymous.withToken(key).get('/api/permissions'),
    status: 200,
  },
}

const work: Partial<Record<SignIn, Work>> = {}
for (const [name, step] of Object.entries(steps) as [SignIn, Step][])
  work[name] = await least(step, usualTrips[name])
process.send?.(work)
await service.stop()
process.disconnect?.()

async function least({ prepare, send, status }: Step, usual: number): Promise<Work> {
  const fewest: Work = { built: Infinity, trips: Infinity }
  caller = fromNewPlace()
  for (let time = 1; time <= minTimes || (time <= maxTimes && fewest.trips > usual); time++) {
    await prepare?.()
    await delay(quietMs)
    const before = { built, trips: sent.trips }
    const answer = await send()
    assert.equal(answer.status, status, answer.text)
    if (time === 1) continue
    fewest.built = Math.min(fewest.built, built - before.built)
    fewest.trips = Math.min(fewest.trips, sent.trips - before.trips)
  }
  return fewest
}
