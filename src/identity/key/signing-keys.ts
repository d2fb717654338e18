/** The key pairs that sign access tokens: created at the first start, stored encrypted, rotated without a restart. */
import {
  type CryptoKey,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importJWK,
  importPKCS8,
  type JWK,
} from 'jose'
import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, hostTenantId } from '../../core/context.ts'
import type { SecretBox } from '../../core/encryption/secret-box.ts'
import { newId } from '../../core/id.ts'
import { installation } from '../../core/installation.ts'
import { lockHost } from '../../core/tenant/directory.ts'
import { inCatalogue } from '../../core/transaction.ts'
import type { InstallationData } from '../../database/data.ts'
import { type Database, type Executor, resync } from '../../database/executor.ts'
import { tablesOf } from '../../database/migrate/tables.ts'
import { insertKey, keysInUse, presentPrivateKey, retireOtherKeys, type StoredKey } from './sql.ts'

/** ECDSA on P-256: small, and known to every JWT library. */
export const signingAlgorithm = 'ES256'

/** The announcement that the keys have changed. */
const keyChange = 'keys'

export const signingKeyPurpose = 'signing-key'

/** How long a new key is published before it signs: other services cache the published keys for up to a day. */
const publishedBeforeMs = 24 * 60 * 60 * 1000
/** How long a retired key verifies: as long as the longest of its tokens is valid (`maxAccessTokenSeconds`). */
const verifyAfterRetirementMs = 60 * 60 * 1000
/** A token with an unknown key causes a search for new keys, at most once in this time. */
const searchIntervalMs = 1000

interface LoadedKey {
  id: string
  jwk: JWK
  verifier: CryptoKey
  /** `null` for a key that has stopped signing. */
  signer: CryptoKey | null
  /** Infinite for the newest key. */
  retiredAtMs: number
}

/** A new key takes over at the moment at which the one before it retires. */
export interface Rotation {
  keyId: string
  signsFrom: string
}

export class SigningKeys {
  readonly #database: Database
  readonly #secretBox: SecretBox
  readonly #clock: () => Date
  #loaded: Promise<LoadedKey[]> | null = null
  /** The last search for an unknown key. */
  #search: Promise<LoadedKey[]> | null = null
  #searchedAtMs = Number.NEGATIVE_INFINITY

  constructor(database: Database, secretBox: SecretBox, clock: () => Date) {
    this.#database = database
    this.#secretBox = secretBox
    this.#clock = clock
  }

  async signer(): Promise<{ id: string; key: CryptoKey }> {
    const nowMs = this.#clock().getTime()
    for (const { id, signer, retiredAtMs } of await this.#keys())
      if (signer !== null && retiredAtMs > nowMs) return { id, key: signer }
    throw new Error('There is no signing key.')
  }

  /** Checks the master key, before the migrations and without a change. @throws CannotDecrypt if it is another one */
  async requireDecryptable(): Promise<void> {
    const { executor } = this.#database
    if (!(await tablesOf(executor)).has('signing_key')) return
    const encrypted = await presentPrivateKey(signing(executor))
    if (encrypted !== null) this.#secretBox.decrypt(encrypted, signingKeyPurpose)
  }

  /** @returns `null` for an unknown key */
  async verifier(id: string): Promise<CryptoKey | null> {
    const known = verifierOf(await this.#keys(), id)
    if (known !== null) return known
    const nowMs = performance.now()
    if (this.#search === null || nowMs - this.#searchedAtMs >= searchIntervalMs) {
      this.#searchedAtMs = nowMs
      this.#search = this.#loadAgain()
    }
    return verifierOf(await this.#search, id)
  }

  /** The public keys (RFC 7517). */
  async published(): Promise<JWK[]> {
    const retiredAfterMs = this.#clock().getTime() - verifyAfterRetirementMs
    const keys = await this.#keys()
    return keys.filter(({ retiredAtMs }) => retiredAtMs > retiredAfterMs).map(({ jwk }) => jwk)
  }

  /** Stores a new key, inside a transaction. @param signsFrom when it begins to sign and earlier keys stop */
  async replace(catalogue: InstallationData, key: StoredKey, signsFrom: string): Promise<void> {
    await insertKey(catalogue, key)
    await retireOtherKeys(catalogue, key.id, signsFrom)
  }

  async generate(): Promise<StoredKey> {
    const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true })
    return {
      id: newId(),
      algorithm: signingAlgorithm,
      public_key: JSON.stringify(await exportJWK(publicKey)),
      private_key: this.#secretBox.encrypt(await exportPKCS8(privateKey), signingKeyPurpose),
      created_at: this.#clock().toISOString(),
      retired_at: null,
    }
  }

  invalidate(change: string): void {
    if (change === keyChange || change === resync) this.#loaded = null
  }

  /** Loads the keys while the known ones stay in use: a token with an invented key id must not delay valid tokens. */
  async #loadAgain(): Promise<LoadedKey[]> {
    const before = this.#loaded
    const found = await this.#load()
    if (this.#loaded === before) this.#loaded = Promise.resolve(found)
    return found
  }

  /** @returns the keys in the order in which they sign */
  #keys(): Promise<LoadedKey[]> {
    if (this.#loaded === null) {
      const loading = this.#load()
      loading.catch(() => {
        if (this.#loaded === loading) this.#loaded = null
      })
      this.#loaded = loading
    }
    return this.#loaded
  }

  async #load(): Promise<LoadedKey[]> {
    let stored = await this.#stored(signing(this.#database.executor))
    if (stored.every(({ retired_at }) => retired_at !== null)) stored = await this.#createFirst()
    const keys = await Promise.all(stored.map((key) => this.#import(key)))
    // Sorted by retirement, because the clock of the instance that created a key may have been behind.
    return keys.toSorted((one, other) => one.retiredAtMs - other.retiredAtMs)
  }

  async #import(stored: StoredKey): Promise<LoadedKey> {
    const jwk = publicJwk(stored)
    const retiredAtMs = stored.retired_at === null ? Number.POSITIVE_INFINITY : Date.parse(stored.retired_at)
    const signs = retiredAtMs > this.#clock().getTime()
    return {
      id: stored.id,
      jwk,
      verifier: await toVerifier(jwk),
      signer: signs ? await this.#toSigner(stored) : null,
      retiredAtMs,
    }
  }

  #toSigner({ private_key }: StoredKey): Promise<CryptoKey> {
    return importPKCS8(this.#secretBox.decrypt(private_key, signingKeyPurpose), signingAlgorithm)
  }

  #stored(catalogue: InstallationData): Promise<StoredKey[]> {
    return keysInUse(catalogue, new Date(this.#clock().getTime() - verifyAfterRetirementMs).toISOString())
  }

  /** If several instances start together, one creates the key and the others find it. */
  async #createFirst(): Promise<StoredKey[]> {
    const key = await this.generate()
    return this.#database.transaction(async (transaction) => {
      const catalogue = signing(transaction)
      await lockHost(transaction)
      const found = await this.#stored(catalogue)
      if (found.some(({ retired_at }) => retired_at === null)) return found
      await insertKey(catalogue, key)
      return [...found, key]
    })
  }
}

function publicJwk({ id, algorithm, public_key }: StoredKey): JWK {
  const { kty = 'EC', crv = '', x = '', y = '' } = JSON.parse(public_key) as JWK // written by exportJWK above
  return { kty, crv, x, y, kid: id, alg: algorithm, use: 'sig' }
}

async function toVerifier(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, signingAlgorithm)
  if (!(key instanceof CryptoKey)) throw new Error('A signing key is not a public key.')
  return key
}

function verifierOf(keys: readonly LoadedKey[], id: string): CryptoKey | null {
  return keys.find((key) => key.id === id)?.verifier ?? null
}

/**
 * Publishes a new key, which signs a day later. Existing tokens stay valid until they expire.
 * @param options `isImmediate`: the key signs at once, for example after a theft of the current key. Services that
 *   cache the published keys refuse its tokens until they read the keys again
 */
export async function rotateKeys(
  context: Context,
  keys: SigningKeys,
  { isImmediate = false } = {},
): Promise<Rotation> {
  const key = await keys.generate()
  const waitMs = isImmediate ? 0 : publishedBeforeMs
  const signsFrom = new Date(Date.parse(key.created_at) + waitMs).toISOString()
  return inCatalogue(context, async (inside) => {
    await keys.replace(signing(inside), key, signsFrom)
    const entry = { action: 'key.rotated', tenantId: hostTenantId, subjectType: 'key' } as const
    await recordAudit(inside, { ...entry, subjectId: key.id, detail: { signsFrom } })
    await inside.transaction?.announce(keyChange)
    return { keyId: key.id, signsFrom }
  })
}

function signing(from: Context | Executor): InstallationData {
  return installation(from, 'the keys that sign access tokens are those of all tenants')
}
