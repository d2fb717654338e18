/**
 * Whether times tell which accounts exist: the distributions of requests about unknown and known users, alternating, one
 * at a time. `node bench/enumeration.ts [requests]`
 */
import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { defaultPasswordCost } from '../src/identity/password/argon2.ts'
import { CollectedMails } from '../src/testing/collected-mails.ts'
import { person, startService, type TestService } from '../test/support/service.ts'

const requests = Number(process.argv[2] ?? 300)
const users = 50
/** The kernel of a test whose result would be above this by chance once in a hundred times, for equal samples. */
const significant = 1.63

const service = await startService(
  'sqlite',
  { SIGN_UP: 'open' },
  {
    passwordCost: defaultPasswordCost,
    // What limits a client or an address would be the same for both, and would end the measurement.
    strictRequests: 1_000_000,
    mailRequests: 1_000_000,
    mailLimits: { perAddressPerHour: 1_000_000, perTenantPerHour: 1_000_000 },
    mailTransport: new CollectedMails(),
  },
)
try {
  for (let index = 0; index < users; index++) await service.host.post('/api/users', person(`known${index}`))
  await compare('sign-in', (userName) => send('/api/auth/login', { userName, password: 'Wrong@123' }), 401)
  await compare('sign-up', (userName) => send('/api/auth/sign-up', signUpOf(userName)), 202)
  await compare('forgotten password', (userName) => send('/api/auth/forgot-password', { userName }), 202)
} finally {
  await service.stop()
}

async function compare(what: string, ask: (userName: string) => Promise<number>, expected: number) {
  const times: Record<'unknown' | 'known', number[]> = { unknown: [], known: [] }
  for (let count = -20; count < requests; count++) {
    const kinds = randomInt(2) === 0 ? (['unknown', 'known'] as const) : (['known', 'unknown'] as const)
    for (const kind of kinds) {
      const beganMs = performance.now()
      const status = await ask(`${kind}${randomInt(users)}`)
      const tookMs = performance.now() - beganMs
      if (status !== expected) throw new Error(`${what} of ${kind}: ${status}`)
      if (count >= 0) times[kind].push(tookMs)
      await delay(5) // what goes on after the reply must not slow down the next request
    }
  }
  report(what, times.unknown.toSorted(ascending), times.known.toSorted(ascending))
}

function report(what: string, unknown: number[], known: number[]): void {
  const distance = kolmogorovSmirnov(unknown, known)
  const bound = significant * Math.sqrt((unknown.length + known.length) / (unknown.length * known.length))
  const figures = (sorted: number[]) => `median ${at(sorted, 0.5)} ms, p95 ${at(sorted, 0.95)} ms`
  process.stdout.write(
    `${what}, ${unknown.length} of each\n` +
      `  unknown: ${figures(unknown)}\n  known:   ${figures(known)}\n` +
      `  Kolmogorov–Smirnov: D = ${distance.toFixed(3)}, ${distance > bound ? 'above' : 'below'} ${bound.toFixed(3)}, ` +
      `which equal distributions exceed once in a hundred times\n`,
  )
}

/** The greatest distance between the two cumulative distributions. */
function kolmogorovSmirnov(a: readonly number[], b: readonly number[]): number {
  const distances = [...a, ...b].map((value) => Math.abs(shareUpTo(a, value) - shareUpTo(b, value)))
  return Math.max(...distances)
}

function shareUpTo(values: readonly number[], bound: number): number {
  return values.filter((value) => value <= bound).length / values.length
}

function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(2)
}

function ascending(a: number, b: number): number {
  return a - b
}

/** With the address of the user. */
function signUpOf(userName: string): object {
  return { ...person('applicant', { email: `${userName}@example.com` }), tenantName: 'Any' }
}

/** From another address each time: no limit is reached, and no network is known. */
async function send(path: string, body: object): Promise<number> {
  const address = Array.from({ length: 3 }, () => randomInt(256)).join('.')
  const { anonymous }: TestService = service
  return (await anonymous.post(path, body, { 'x-forwarded-for': `10.${address}` })).status
}
