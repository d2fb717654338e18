/** Authenticates API keys. */
import { isIP } from 'node:net'
import type { CredentialSource } from '../../core/authenticator.ts'
import type { Actor } from '../../core/context.ts'
import { refusal, unauthorized } from '../../core/errors.ts'
import { clientNetwork } from '../../core/network.ts'
import { LruMap } from '../../database/lru-map.ts'
import type { RoleDirectory } from '../role/directory.ts'
import type { UserDirectory } from '../user/directory.ts'
import type { ApiKeyDirectory } from './directory.ts'
import { digestOf, isKeyText } from './key-text.ts'
import type { KnownKey } from './known-key.ts'

/** The most cached digests. Computing a digest takes longer than the rest of the authentication. */
const maxDigests = 20_000

/** The users for whom keys act, and their roles. */
interface UserParts {
  known: UserDirectory
  roles: RoleDirectory
}

export class ApiKeyAuthenticator {
  readonly #keys: ApiKeyDirectory
  readonly #users: UserParts
  readonly #clock: () => Date
  /** The digests of keys that were admitted, by the text of the key. */
  readonly #digests = new LruMap<string, string>(maxDigests)

  constructor(keys: ApiKeyDirectory, users: UserParts, clock: () => Date) {
    this.#keys = keys
    this.#users = users
    this.#clock = clock
  }

  /**
   * Returns without waiting for a cached key. A mistyped key costs no query.
   * @throws ServiceError `unauthorized`; `forbidden` for an address that the key does not allow; `tooManyRequests` for
   *   a client that has tried many keys
   */
  authenticate(text: string, request: CredentialSource): Actor | Promise<Actor> {
    const digest = this.#digests.peek(text) ?? digestOf(text)
    const cached = this.#keys.peek(digest)
    if (cached !== undefined) return this.#admit(cached, request)
    this.#digests.delete(text)
    if (!isKeyText(text)) throw unauthorized('malformedApiKey')
    const key = this.#keys.load(digest, clientNetwork(request.ip))
    if (!(key instanceof Promise)) return this.#admit(key, request)
    return key.then(async (found) => {
      const actor = await this.#admit(found, request)
      this.#digests.set(text, digest)
      return actor
    })
  }

  #admit(key: KnownKey | null, request: CredentialSource): Actor | Promise<Actor> {
    if (key === null) throw unauthorized('unknownApiKey')
    const loading = key.actsFor === null ? null : this.#loadUser(key.actor.tenantId, key.actsFor)
    return loading === null
      ? this.#admitKnown(key, request)
      : loading.then(() => this.#admitKnown(key, request))
  }

  /** @returns `null` when the user and its roles are known, which is the usual case */
  #loadUser(tenantId: string, id: string): Promise<void> | null {
    const { known, roles } = this.#users
    const loadRoles = () => {
      const user = known.peek(id)
      return user === undefined ? null : roles.load(tenantId, user.roles)
    }
    const loading = known.load(tenantId, id)
    return loading === null ? loadRoles() : loading.then(async () => (await loadRoles()) ?? undefined)
  }

  #admitKnown(key: KnownKey, request: CredentialSource): Actor {
    if (key.actsFor !== null && this.#users.known.peek(key.actsFor)?.isActive !== true)
      throw unauthorized('apiKeyWithoutUser')
    const nowMs = this.#clock().getTime()
    if (key.expiresAtMs <= nowMs) throw unauthorized('apiKeyExpired')
    if (key.networks !== null) this.#refuseAddress(key, request.ip, nowMs)
    this.#keys.use.noteUse(key, nowMs)
    return key.actor
  }

  #refuseAddress(key: KnownKey, address: string, nowMs: number): void {
    if (key.allowedAddress === address) return
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    const isAllowed = isIP(address) !== 0 && key.networks?.some((network) => network.check(address, family))
    if (isAllowed !== true) {
      this.#keys.use.noteRefusal(key, address, nowMs)
      throw refusal('apiKeyAddress', { address })
    }
    key.allowedAddress = address
  }
}
