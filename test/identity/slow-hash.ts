/** Password hashes that take a tenth of a second, where all others are cheap. */
import { password, type TestService } from '../support/service.ts'
import { hashWith, setHash } from '../support/weak-hash.ts'

const cost = { memory: 65_536, passes: 2, parallelism: 1 }

/** Of no password. */
const unknown = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=1$${'a'.repeat(22)}$${'a'.repeat(43)}`

let known: string | null = null

/** Of the usual password. */
export function slowHash(): string {
  known ??= hashWith(password, cost)
  return known
}

/** From now on the user of the host cannot sign in, and takes long to be refused. */
export function giveUnknownSlowHash(service: TestService, userName: string): Promise<void> {
  return setHash(service, userName, unknown)
}
