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
import { lockHost } from '../../core/tenant/directory.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { CatalogueData } from '../../database/data.ts'
import { type Database, resync } from '../../database/executor.ts'
import { tablesOf } from '../../database/migrate/tables.ts'
import { insertKey, keysInUse, presentPrivateKey, retireOtherKeys, type StoredKey } from './sql.ts'

/** ECDSA on P-256: small, and known to every JWT library. */
export const signingAlgorithm = 'ES256'

/** The announcement that the keys have changed. */
export const keyChange = 'keys'

export const signingKeyPurpose = 'signing-key'

/** How long a retired key verifies: longer than any of its tokens is valid. */
const verifyAfterRetirementMs = 60 * 60 * 1000
/** A token with an unknown key causes a search for new keys, at most once in this time. */
const searchIntervalMs = 1000

interface LoadedKeys {
  signer: { id: string; key: CryptoKey }
  verifiers: Map<string, CryptoKey>
  published: JWK[]
}

export class SigningKeys {
  readonly #database: Database
  readonly #secretBox: SecretBox
  readonly #clock: () => Date
  #loaded: Promise<LoadedKeys> | null = null
  /** The last search for an unknown key. */
  #search: Promise<LoadedKeys> | null = null
  #searchedAtMs = Number.NEGATIVE_INFINITY

  constructor(database: Database, secretBox: SecretBox, clock: () => Date) {
    this.#database = database
    this.#secretBox = secretBox
    this.#clock = clock
  }

  async signer(): Promise<{ id: string; key: CryptoKey }> {
    return (await this.#keys()).signer
  }

  /** Before the migrations: reads and changes nothing else. @throws CannotDecrypt for a key of another master key */
  async requireDecryptable(): Promise<void> {
    const { executor } = this.#database
    if (!(await tablesOf(executor)).has('signing_key')) return
    const encrypted = await presentPrivateKey(new CatalogueData(executor))
    if (encrypted !== null) this.#secretBox.decrypt(encrypted, signingKeyPurpose)
  }

  /** @returns `null` for an unknown key */
  async verifier(id: string): Promise<CryptoKey | null> {
    const known = (await this.#keys()).verifiers.get(id)
    if (known !== undefined) return known
    const nowMs = performance.now()
    if (this.#search === null || nowMs - this.#searchedAtMs >= searchIntervalMs) {
      this.#searchedAtMs = nowMs
      this.#search = this.#loadAgain()
    }
    return (await this.#search).verifiers.get(id) ?? null
  }

  /** The public keys (RFC 7517). */
  async published(): Promise<JWK[]> {
    return (await this.#keys()).published
  }

  /** Inside a transaction. @param key the key that signs from now on */
  async replace(catalogue: CatalogueData, key: StoredKey): Promise<void> {
    await insertKey(catalogue, key)
    await retireOtherKeys(catalogue, key.id, key.created_at)
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

  /** The loaded keys stay in use meanwhile: a token with an invented key id must not delay genuine tokens. */
  async #loadAgain(): Promise<LoadedKeys> {
    const before = this.#loaded
    const found = await this.#load()
    if (this.#loaded === before) this.#loaded = Promise.resolve(found)
    return found
  }

  #keys(): Promise<LoadedKeys> {
    if (this.#loaded === null) {
      const loading = this.#load()
      loading.catch(() => {
        if (this.#loaded === loading) this.#loaded = null
      })
      this.#loaded = loading
    }
    return this.#loaded
  }

  async #load(): Promise<LoadedKeys> {
    let stored = await this.#stored(new CatalogueData(this.#database.executor))
    if (stored.every(({ retired_at }) => retired_at !== null)) stored = await this.#createFirst()
    const current = stored.find(({ retired_at }) => retired_at === null)
    if (current === undefined) throw new Error('There is no signing key.')
    const published = stored.map((key) => publicJwk(key))
    const verifiers = await Promise.all(published.map(toVerifier))
    const pkcs8 = this.#secretBox.decrypt(current.private_key, signingKeyPurpose)
    const signer = { id: current.id, key: await importPKCS8(pkcs8, signingAlgorithm) }
    return { signer, verifiers: new Map(verifiers), published }
  }

  #stored(catalogue: CatalogueData): Promise<StoredKey[]> {
    return keysInUse(catalogue, new Date(this.#clock().getTime() - verifyAfterRetirementMs).toISOString())
  }

  /** Of several instances that start together, one creates the key and the others find it. */
  async #createFirst(): Promise<StoredKey[]> {
    const key = await this.generate()
    return this.#database.transaction(async (transaction) => {
      const catalogue = new CatalogueData(transaction)
      await lockHost(catalogue)
      const found = await this.#stored(catalogue)
      if (found.some(({ retired_at }) => retired_at === null)) return found
      await insertKey(catalogue, key)
      return [key, ...found]
    })
  }
}

function publicJwk({ id, algorithm, public_key }: StoredKey): JWK {
  const { kty = 'EC', crv = '', x = '', y = '' } = JSON.parse(public_key) as JWK // written by exportJWK above
  return { kty, crv, x, y, kid: id, alg: algorithm, use: 'sig' }
}

async function toVerifier(jwk: JWK): Promise<[string, CryptoKey]> {
  const key = await importJWK(jwk, signingAlgorithm)
  if (!(key instanceof CryptoKey)) throw new Error('A signing key is not a public key.')
  return [String(jwk.kid), key]
}

/** Existing tokens stay valid until they expire. @returns the id of the new key */
export async function rotateKeys(context: Context, keys: SigningKeys): Promise<string> {
  const key = await keys.generate()
  return inCatalogue(context, async (inside) => {
    await keys.replace(inside.catalogue, key)
    const entry = { action: 'key.rotated', tenantId: hostTenantId, subjectType: 'key' } as const
    await recordAudit(inside, { ...entry, subjectId: key.id })
    await inside.transaction?.announce(keyChange)
    return key.id
  })
}
