/** Providers: from whom a tenant accepts webhooks, and how these are signed. */
import type { AuditAction } from '../../../core/audit/action.ts'
import { recordTenantAudit } from '../../../core/audit/audit.ts'
import { type Context, now } from '../../../core/context.ts'
import type { SecretBox } from '../../../core/encryption/secret-box.ts'
import { invalidField, ServiceError } from '../../../core/errors.ts'
import type { Precondition } from '../../../core/precondition.ts'
import { inTransaction } from '../../../core/transaction.ts'
import { liveSecrets, rotate, type StoredSecret } from '../../subscriptions/secret.ts'
import { isStandardSecret, type SchemeName } from '../signature/scheme.ts'
import { type Provider, type ProviderInput, providerPattern } from './schema.ts'
import {
  allProviders,
  countProviders,
  deleteProviderRow,
  findProvider,
  findProviderForUpdate,
  holdProviders,
  type ProviderRow,
  saveProvider,
} from './sql.ts'

const defaultOverlapHours = 24
const defaultToleranceSeconds = 300
/** Of a tenant: an event of its own may come back as a webhook of each. */
export const maxProviders = 50
/** The newest, and during a rotation the one before it. */
const maxSecrets = 2
export const incomingSecretPurpose = 'incoming-secret'
const wellFormed = new RegExp(providerPattern)

/** The configuration that verifies a message of the provider. */
export interface Verification {
  scheme: SchemeName
  /** Newest first. */
  secrets: string[]
  toleranceSeconds: number
}

/** By their names. */
export async function listProviders(context: Context): Promise<Provider[]> {
  const rows = await allProviders(context.data)
  return rows.map((row) => shown(context, row))
}

/** @throws ServiceError `notFound` */
export async function getProvider(context: Context, name: string): Promise<Provider> {
  const row = await lookUp(context, name)
  if (row === null) throw noSuchProvider()
  return shown(context, row)
}

/**
 * Begins to accept webhooks of a provider, or changes how. Omitted members stay as they are. With another secret the
 * former one is accepted until the overlap ends, and earlier ones no longer.
 * @throws ServiceError `invalid`, also when the tenant has too many; `preconditionFailed`
 */
export function setProvider(
  context: Context,
  name: string,
  { input, precondition }: { input: ProviderInput; precondition: Precondition },
): Promise<Provider> {
  if (!wellFormed.test(name)) {
    throw invalidField(
      'provider',
      'must be 1 to 64 letters, digits, - and _, beginning with a letter or digit',
    )
  }
  return inTransaction(context, async (inside) => {
    const { secretBox } = inside.shared
    const before = await findProviderForUpdate(inside.data, name.toLowerCase())
    precondition?.(before === null ? null : { updatedAt: before.updated_at })
    const stored = before === null ? [] : decryptIncoming(secretBox, before.secrets)
    const secrets = nextSecrets(inside, stored, input)
    const scheme = input.scheme ?? schemeOfRow(before)
    for (const { secret } of scheme === 'standard-webhooks' ? secrets.slice(0, 1) : []) {
      if (!isStandardSecret(secret)) throw invalidField('secret', 'must be whsec_ and base64 for this scheme')
    }
    const row: ProviderRow = {
      name: name.toLowerCase(),
      scheme,
      secrets: encryptIncoming(secretBox, secrets),
      tolerance_seconds: input.toleranceSeconds ?? before?.tolerance_seconds ?? defaultToleranceSeconds,
      created_at: before?.created_at ?? now(context),
      updated_at: now(context),
    }
    await refuseTooMany(inside, row.name, before === null)
    await saveProvider(inside.data, row)
    await audit(inside, 'webhookProvider.set', row.name, { scheme, changed: Object.keys(input) })
    return shown(inside, row)
  })
}

/** Nothing more is accepted from it; its receipts stay. @throws ServiceError `notFound`, `preconditionFailed` */
export function deleteProvider(context: Context, name: string, precondition: Precondition): Promise<void> {
  return inTransaction(context, async (inside) => {
    const key = name.toLowerCase()
    const before = wellFormed.test(name) ? await findProviderForUpdate(inside.data, key) : null
    if (before === null) throw noSuchProvider()
    precondition?.({ updatedAt: before.updated_at })
    await deleteProviderRow(inside.data, key)
    await audit(inside, 'webhookProvider.deleted', key, {})
  })
}

/** @returns `null` for a provider that the tenant does not know */
export async function verificationOf(context: Context, name: string): Promise<Verification | null> {
  const row = await lookUp(context, name)
  if (row === null) return null
  const { secretBox, clock } = context.shared
  return {
    scheme: schemeOfRow(row),
    secrets: liveSecrets(decryptIncoming(secretBox, row.secrets), clock()),
    toleranceSeconds: row.tolerance_seconds,
  }
}

/** @param name of the provider that is about to be made; another transaction may have made it meanwhile */
async function refuseTooMany({ data }: Context, name: string, isNew: boolean): Promise<void> {
  if (!isNew) return
  await holdProviders(data)
  if ((await countProviders(data, name)) < maxProviders) return
  throw new ServiceError('invalid', `A tenant has ${maxProviders} providers at most.`)
}

async function lookUp({ data }: Context, name: string): Promise<ProviderRow | null> {
  return wellFormed.test(name) ? findProvider(data, name.toLowerCase()) : null
}

function nextSecrets(
  { shared: { clock } }: Context,
  stored: readonly StoredSecret[],
  { secret, overlapHours = defaultOverlapHours }: ProviderInput,
): StoredSecret[] {
  const [newest] = stored
  if (secret === undefined && newest === undefined) throw invalidField('secret', 'is required')
  if (secret === undefined || secret === newest?.secret) return [...stored]
  return rotate(stored.slice(0, 1), secret, { overlapHours, now: clock() }).slice(0, maxSecrets)
}

function schemeOfRow(row: ProviderRow | null): SchemeName {
  return (row?.scheme ?? 'stripe') as SchemeName // nothing else is written there
}

function shown({ shared: { secretBox, clock } }: Context, row: ProviderRow): Provider {
  const [newest, former] = decryptIncoming(secretBox, row.secrets)
  const until = former?.until ?? null
  return {
    provider: row.name,
    scheme: schemeOfRow(row),
    secret: maskIncomingSecret(newest?.secret ?? ''),
    formerSecretUntil: until !== null && until > clock().toISOString() ? until : null,
    toleranceSeconds: row.tolerance_seconds,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function audit(
  inside: Context,
  action: AuditAction,
  name: string,
  detail: Record<string, unknown>,
): Promise<void> {
  const { id: tenantId } = inside.tenant
  return recordTenantAudit(inside, {
    action,
    tenantId,
    subjectType: 'webhookProvider',
    subjectId: name,
    detail,
  })
}

function noSuchProvider(): ServiceError {
  return new ServiceError('notFound', 'There is no such provider.')
}

/** The last four characters are shown, unless they are half of it or more. */
function maskIncomingSecret(secret: string): string {
  return `****${secret.length > 8 ? secret.slice(-4) : ''}`
}

function encryptIncoming(secretBox: SecretBox, secrets: readonly StoredSecret[]): Uint8Array {
  return secretBox.encrypt(JSON.stringify(secrets), incomingSecretPurpose)
}

function decryptIncoming(secretBox: SecretBox, sealed: Uint8Array): StoredSecret[] {
  return JSON.parse(secretBox.decrypt(sealed, incomingSecretPurpose)) as StoredSecret[] // what `encryptIncoming` has sealed
}
