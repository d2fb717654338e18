/** The service that the test files on identity share in a process: a test can let its time pass, and read its mails. */
import { CollectedMails } from '../../src/testing/collected-mails.ts'
import { TestClock } from '../support/clock.ts'
import type { DatabaseName } from '../support/databases.ts'
import { startNameServer } from '../support/name-server.ts'
import { runsOf } from '../support/run/extent.ts'
import { SharedResources } from '../support/run/shared-resources.ts'
import { callersAt, startService, type TestService } from '../support/service.ts'

export const baseDomain = 'tenantry.example'
export const baseUrl = `https://${baseDomain}`
/** An application on another origin, which users come from and return to. */
export const appUrl = `https://app.${baseDomain}`

/** An application on Android. */
export const androidOrigin = `android:apk-key-hash:${'a'.repeat(43)}`

/** How many use a token at once that works once: fifty say no more than a few, and take longer. */
export const rivals = runsOf(8, 50)

export interface IdentityService extends TestService {
  /** Ahead of the real one by what other files have let pass. */
  clock: TestClock
  mails: CollectedMails
  /** What the name server answers, by name. */
  records: Map<string, string[]>
}

/** A busy machine refuses no sign-in, and one slow hash lets all others wait. */
const hashLimits = { maxConcurrent: 1, maxQueueMs: 600_000, maxWaitMs: 600_000 }

const shared = new SharedResources(start)

/** Each test has a tenant of its own. */
export function sharedIdentityService(database: DatabaseName): Promise<IdentityService> {
  return shared.use(database, async (service) => {
    // The former session of the host may have expired.
    const host = (await service.signIn('admin')).client
    return { ...service, ...callersAt(service.anonymous, host), stop: () => shared.release(database) }
  })
}

async function start(database: DatabaseName): Promise<IdentityService> {
  const [clock, mails, records] = [new TestClock(), new CollectedMails(), new Map<string, string[]>()]
  const names = await startNameServer(({ name }) => records.get(name) ?? 'missing')
  const settings = {
    BASE_URL: `${baseUrl}/`,
    BASE_DOMAIN: baseDomain,
    CORS_ORIGINS: appUrl,
    SIGN_UP: 'open',
    PASSKEY_ORIGINS: androidOrigin,
  }
  const receivers = { nameServers: [names.address] }
  const service = await startService(database, settings, {
    hashLimits,
    clock: clock.now,
    mailTransport: mails,
    receivers,
  })
  const stop = async (): Promise<void> => {
    await service.stop()
    names.close()
  }
  return { ...service, clock, mails, records, stop }
}
