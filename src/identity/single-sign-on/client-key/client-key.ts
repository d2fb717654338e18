/**
 * The keys with which the service authenticates at the provider of a tenant (`private_key_jwt`, RFC 7523). One key
 * signs. The next key is published before it signs, so that the provider knows it in time.
 */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { recordAudit } from '../../../core/audit/audit.ts'
import type { Context } from '../../../core/context.ts'
import { invalidField, refusal } from '../../../core/errors.ts'
import { installation } from '../../../core/installation.ts'
import { lockTenantOf } from '../../../core/tenant/directory.ts'
import { inCatalogue } from '../../../core/transaction.ts'
import { clientKeyPurpose } from '../purpose.ts'
import type { ClientJwk, ClientKey, ClientKeyAlgorithm, ClientKeyInput } from './schema.ts'
import { type ClientKeyRow, clientKeysOf, deleteClientKeys, insertClientKey, markSigning } from './sql.ts'

/** The key with which the service signs. */
export interface SigningClientKey {
  id: string
  algorithm: ClientKeyAlgorithm
  /** A private JWK as JSON. */
  privateKey: string
}

/** @returns at most two keys; the first one signs */
export async function listClientKeys({ catalogue }: Context): Promise<ClientKey[]> {
  return (await clientKeysOf(catalogue)).map(toClientKey)
}

/** Lists the public keys, which everybody may read. @returns no key for a tenant that does not exist */
export async function publishedClientKeys(context: Context, tenantId: string): Promise<ClientJwk[]> {
  const anyTenant = installation(context, 'a provider fetches the keys of any tenant')
  return (await clientKeysOf(anyTenant.ofTenant(tenantId))).map(publicKeyOf)
}

/** Makes a key. The first key signs at once. A further key waits, and replaces a key that waits. */
export async function makeClientKey(context: Context, input: ClientKeyInput): Promise<ClientKey> {
  const signing = (await listClientKeys(context)).find(({ isSigning }) => isSigning)
  const made = await generateClientKey(context, input.algorithm ?? signing?.publicKey.alg ?? 'RS256')
  return inCatalogue(context, async (inside) => {
    await lockTenantOf(inside)
    return toClientKey(await storeClientKey(inside, made))
  })
}

/** Lets the waiting key sign, and removes the former key. Nothing changes if it signs. @throws ServiceError `notFound` */
export function activateClientKey(context: Context, id: string): Promise<ClientKey> {
  return inCatalogue(context, async (inside) => {
    const { catalogue } = inside
    await lockTenantOf(inside)
    const row = (await clientKeysOf(catalogue)).find((each) => each.id === id)
    if (row === undefined) throw refusal('noSuchClientKey')
    if (row.is_signing) return toClientKey(row)
    await deleteClientKeys(catalogue, { except: id })
    await markSigning(catalogue, id)
    await record(inside, 'sso.clientKeyActivated', row)
    return toClientKey({ ...row, is_signing: true })
  })
}

/** @returns the key that signs; `null` if the tenant has none */
export async function signingKeyOf(context: Context): Promise<SigningClientKey | null> {
  const row = (await clientKeysOf(context.catalogue)).find(({ is_signing }) => is_signing)
  if (row === undefined) return null
  const { alg } = publicKeyOf(row)
  return {
    id: row.id,
    algorithm: alg,
    privateKey: context.shared.secretBox.decrypt(row.private_key, clientKeyPurpose),
  }
}

/**
 * Makes the first key for a provider: for ES256 if the provider lists it, otherwise for RS256,
 * which every provider has to support.
 * @param listed the algorithms that the provider accepts of clients; `null` if it does not list them
 * @returns a key for `storeFirstClientKey`; `null` if the tenant has a suitable key @throws ServiceError `invalid`
 */
export async function clientKeyFor(
  context: Context,
  listed: readonly string[] | null,
): Promise<ClientKeyRow | null> {
  const algorithm = listed?.includes('ES256') === true ? 'ES256' : 'RS256'
  const present = await signingKeyOf(context)
  if (present === null) return generateClientKey(context, algorithm)
  if (listed === null || listed.includes(present.algorithm)) return null
  const fault = `needs a key for ${algorithm}: the provider does not list ${present.algorithm}, which the present one has`
  throw invalidField('clientAuthentication', fault, 'notPossible')
}

/** Removes all keys of the tenant, inside a transaction that has locked it. */
export async function removeClientKeys({ catalogue }: Context): Promise<void> {
  await deleteClientKeys(catalogue, { except: null })
}

/** Stores the key, inside a transaction that has locked the tenant, unless another request has stored one meanwhile. */
export async function storeFirstClientKey(inside: Context, made: ClientKeyRow): Promise<void> {
  const present = await clientKeysOf(inside.catalogue)
  if (present.length === 0) await storeClientKey(inside, made)
}

export async function importClientKey({ algorithm, privateKey }: SigningClientKey): Promise<CryptoKey> {
  const key = await importJWK(JSON.parse(privateKey) as JWK, algorithm) // written by `generateClientKey`
  if (!(key instanceof CryptoKey)) throw new Error('A key of a client is not a private key.')
  return key
}

async function generateClientKey({ shared }: Context, algorithm: ClientKeyAlgorithm): Promise<ClientKeyRow> {
  const pair = await generateKeyPair(algorithm, { extractable: true })
  const publicJwk = await exportJWK(pair.publicKey)
  const id = await calculateJwkThumbprint(publicJwk)
  const privateKey = JSON.stringify(await exportJWK(pair.privateKey))
  return {
    id,
    public_key: JSON.stringify({ ...publicJwk, kid: id, use: 'sig', alg: algorithm }),
    private_key: shared.secretBox.encrypt(privateKey, clientKeyPurpose),
    is_signing: false,
    created_at: shared.clock().toISOString(),
  }
}

async function storeClientKey(inside: Context, made: ClientKeyRow): Promise<ClientKeyRow> {
  const { catalogue } = inside
  const signing = (await clientKeysOf(catalogue)).find(({ is_signing }) => is_signing)
  const row = { ...made, is_signing: signing === undefined }
  await deleteClientKeys(catalogue, { except: signing?.id ?? null })
  await insertClientKey(catalogue, row)
  await record(inside, 'sso.clientKeyCreated', row)
  return row
}

function record(
  inside: Context,
  action: 'sso.clientKeyCreated' | 'sso.clientKeyActivated',
  row: ClientKeyRow,
): Promise<void> {
  const { id } = inside.tenant
  const detail = { keyId: row.id, algorithm: publicKeyOf(row).alg }
  return recordAudit(inside, { action, tenantId: id, subjectType: 'tenant', subjectId: id, detail })
}

function toClientKey(row: ClientKeyRow): ClientKey {
  return {
    id: row.id,
    isSigning: row.is_signing,
    publicKey: publicKeyOf(row),
    createdAt: row.created_at,
  }
}

function publicKeyOf({ public_key }: ClientKeyRow): ClientJwk {
  return JSON.parse(public_key) as ClientJwk // written by `generateClientKey`
}
