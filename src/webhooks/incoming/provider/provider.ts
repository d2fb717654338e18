/** Providers: the senders whose webhooks a tenant accepts, with the scheme and the secrets of their signatures. */
import type { AuditAction } from '../../../core/audit/action.ts'
import { recordTenantAudit } from '../../../core/audit/audit.ts'
import { type Context, now } from '../../../core/context.ts'
import type { SecretBox } from '../../../core/encryption/secret-box.ts'
import { invalidField, refusal, ServiceError } from '../../../core/errors.ts'
import type { Precondition } from '../../../core/precondition.ts'
import { inTransaction } from '../../../core/transaction.ts'
import { decryptedOrNull } from '../../decrypted.ts'
import { liveSecrets, rotate, type StoredSecret } from '../../subscriptions/secret.ts'
import { type SchemeName, schemeOf } from '../signature/scheme.ts'
import { providers } from './readable.ts'
import { type Provider, type ProviderInput, providerPattern } from './schema.ts'
import { decryptIncoming, encryptIncoming, maxSecrets } from './secrets.ts'
import {
  countProviders,
  deleteProviderRow,
  findProvider,
  findProviderForUpdate,
  lockProviders,
  type ProviderRow,
  saveProvider,
} from './sql.ts'

const defaultOverlapHours = 24
const defaultToleranceSeconds = 300
/** The most providers of one tenant. It bounds loops: an event of the tenant may come back once for each provider. */
export const maxProviders = 50
const validName = new RegExp(providerPattern)

/** The configuration that verifies a message of the provider. */
export interface Verification {
  scheme: SchemeName
  /** The secrets, newest first. */
  secrets: string[]
  toleranceSeconds: number
}

/**
 * Creates or changes a provider. Omitted members stay unchanged. With a new secret, the former one is accepted until
 * the overlap ends, and earlier ones are dropped.
 * @throws ServiceError `invalid`, also when the tenant has too many; `preconditionFailed`
 */
export function setProvider(
  context: Context,
  name: string,
  { input, precondition }: { input: ProviderInput; precondition: Precondition },
): Promise<Provider> {
  if (!validName.test(name)) {
    throw invalidField(
      'provider',
      'must be 1 to 64 letters, digits, - and _, beginning with a letter or digit',
      'badPattern',
    )
  }
  return inTransaction(context, async (inside) => {
    const { secretBox } = inside.shared
    const before = await lockProvider(inside, name.toLowerCase())
    precondition?.(before === null ? null : { updatedAt: before.updated_at })
    // Secrets that cannot be decrypted verify nothing: the input has to have a new one.
    const decrypted = before && decryptedOrNull(() => decryptIncoming(secretBox, before.secrets))
    const stored = decrypted ?? []
    const secrets = nextSecrets(inside, stored, input)
    const scheme = input.scheme ?? schemeOfRow(before)
    const fault = refusalOf(scheme, secrets)
    if (fault !== null) throw invalidField('secret', fault, 'badPattern')
    const row: ProviderRow = {
      name: name.toLowerCase(),
      scheme,
      secrets: encryptIncoming(secretBox, secrets),
      tolerance_seconds: input.toleranceSeconds ?? before?.tolerance_seconds ?? defaultToleranceSeconds,
      created_at: before?.created_at ?? now(context),
      updated_at: now(context),
    }
    if (before === null) await refuseTooMany(inside)
    await saveProvider(inside.data, row)
    await audit(inside, 'webhookProvider.set', row.name, { scheme, changed: Object.keys(input) })
    return providers.show(inside, row.name)
  })
}

/**
 * Webhooks of the provider are no longer accepted. Its receipts stay.
 * @throws ServiceError `notFound`, `preconditionFailed`
 */
export function deleteProvider(context: Context, name: string, precondition: Precondition): Promise<void> {
  return inTransaction(context, async (inside) => {
    const key = name.toLowerCase()
    const before = validName.test(name) ? await findProviderForUpdate(inside.data, key) : null
    if (before === null) throw refusal('noSuch', { label: 'provider' })
    precondition?.({ updatedAt: before.updated_at })
    await deleteProviderRow(inside.data, key)
    await audit(inside, 'webhookProvider.deleted', key, {})
  })
}

/** @returns `null` when the tenant has no such provider */
export async function verificationOf(context: Context, name: string): Promise<Verification | null> {
  const row = await findByName(context, name)
  if (row === null) return null
  const { secretBox, clock } = context.shared
  return {
    scheme: schemeOfRow(row),
    secrets: liveSecrets(decryptIncoming(secretBox, row.secrets), clock()),
    toleranceSeconds: row.tolerance_seconds,
  }
}

/** Checks a provider from an archive. @throws ServiceError `invalid` for a secret that its scheme does not accept */
export function refuseForeignSecret(secretBox: SecretBox, row: ProviderRow): void {
  const fault = refusalOf(schemeOfRow(row), decryptIncoming(secretBox, row.secrets))
  if (fault === null) return
  throw new ServiceError('invalid', `The secret of the provider ${row.name} in the archive ${fault}.`)
}

/** @returns `null` when the scheme accepts the newest secret */
function refusalOf(scheme: SchemeName, [newest]: readonly StoredSecret[]): string | null {
  const { secretForm } = schemeOf(scheme)
  return secretForm === null || secretForm.accepts(newest?.secret ?? '') ? null : secretForm.refusal
}

/** Locks a provider that is missing as well: until the transaction ends, no other one creates it. */
async function lockProvider({ data }: Context, name: string): Promise<ProviderRow | null> {
  const found = await findProviderForUpdate(data, name)
  if (found !== null) return found
  await lockProviders(data)
  return findProviderForUpdate(data, name) // it may have been created before the lock was granted
}

/** Refuses another provider for a tenant that has the maximum. The providers of the tenant are locked. */
async function refuseTooMany({ data }: Context): Promise<void> {
  if ((await countProviders(data)) >= maxProviders) throw refusal('tooManyProviders', { limit: maxProviders })
}

async function findByName({ data }: Context, name: string): Promise<ProviderRow | null> {
  return validName.test(name) ? findProvider(data, name.toLowerCase()) : null
}

function nextSecrets(
  { shared: { clock } }: Context,
  stored: readonly StoredSecret[],
  { secret, overlapHours = defaultOverlapHours }: ProviderInput,
): StoredSecret[] {
  const [newest] = stored
  if (secret === undefined && newest === undefined) throw invalidField('secret', 'is required', 'required')
  if (secret === undefined || secret === newest?.secret) return [...stored]
  return rotate(stored.slice(0, 1), secret, { overlapHours, now: clock() }).slice(0, maxSecrets)
}

function schemeOfRow(row: ProviderRow | null): SchemeName {
  return (row?.scheme ?? 'stripe') as SchemeName // written from the schema
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
