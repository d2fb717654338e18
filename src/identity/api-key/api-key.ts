/** Operations on the API keys of a tenant. A key belongs to the tenant, and stays when its creator is deleted. */
import { userIdOf } from '../../core/actor.ts'
import { type Context, now } from '../../core/context.ts'
import { invalidField, refusal } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { parseNetwork } from '../../core/network.ts'
import { keyOwner } from '../../core/owner.ts'
import { lacking } from '../../core/permission.ts'
import { lockTenantOf } from '../../core/tenant/directory.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { resync } from '../../database/executor.ts'
import { ownerChange } from '../owner/change.ts'
import { permissionsOf, refuseGranting, refuseHigherKey, refuseHigherUser } from '../role/grant.ts'
import { declaredPermissions } from '../role/role.ts'
import { requireRecentSignIn } from '../session/recent-sign-in.ts'
import { rolesOf } from '../user/account.ts'
import { attributePermission, newAttributes } from '../user/attributes.ts'
import { lockActiveAccount } from '../user/credentials.ts'
import { apiKeyChange } from './change.ts'
import { digestOf, newKeyText, shownPrefix } from './key-text.ts'
import { keysOfAll } from './reach.ts'
import { apiKeys } from './readable.ts'
import { recordKey } from './record.ts'
import { type ApiKeyInput, type CreatedApiKey, maxApiKeys } from './schema.ts'
import { type ApiKeyRow, countApiKeys, deleteApiKeyRow, deleteApiKeysOfTenant, insertApiKey } from './sql.ts'

/**
 * @returns the key with its secret, which is not shown again
 * @throws ServiceError `invalid`, also when the tenant has too many keys; `forbidden` for a permission that the actor
 *   lacks, without a recent sign-in, and for an API key: a stolen key could otherwise make others that outlive its
 *   revocation
 */
export async function createApiKey(context: Context, input: ApiKeyInput): Promise<CreatedApiKey> {
  if (context.actor?.credential.kind === 'apiKey') throw refusal('keyCannotCreateKeys')
  await requireRecentSignIn(context)
  return inCatalogue(context, async (inside) => {
    const permissions = declaredPermissions(inside, input.permissions)
    refuseGranting(inside, permissions)
    const expiresAt = expiryOf(inside, input)
    const networks = checkedNetworks(input)
    const actsFor = await actedFor(inside, input)
    const attributes = newAttributes(inside, input.attributes)
    await lockTenantOf(inside)
    if ((await countApiKeys(inside.catalogue)) >= maxApiKeys)
      throw refusal('tooManyApiKeys', { limit: maxApiKeys })
    const key = newKeyText()
    const row: ApiKeyRow = {
      id: newId(),
      tenant_id: inside.catalogueTenantId,
      name: input.name,
      prefix: shownPrefix(key),
      digest: digestOf(key),
      permissions: JSON.stringify(permissions),
      acts_for: actsFor,
      attributes,
      allowed_networks: networks === null ? null : JSON.stringify(networks),
      expires_at: expiresAt,
      last_used_at: null,
      created_at: now(inside),
    }
    await insertApiKey(inside.catalogue, row)
    const made = await apiKeys.show(inside, row.id)
    const ownerDetail = {
      ...(actsFor !== null && { actsFor }),
      ...(attributes !== null && { attributes: made.attributes }),
    }
    await recordKey(inside, 'apiKey.created', row, {
      permissions,
      expiresAt,
      allowedNetworks: networks,
      ...ownerDetail,
    })
    return { ...made, key }
  })
}

/**
 * The key stops working on every instance within a second.
 * @throws ServiceError `notFound`; `forbidden` for a key that may do what the actor may not
 */
export async function revokeApiKey(context: Context, id: string): Promise<void> {
  await inCatalogue(context, async (inside) => {
    const row = await deleteApiKeyRow(inside.catalogue, id)
    if (row === null) throw refusal('noSuch', { label: 'API key' })
    refuseHigherKey(inside, permissionsOf(row, inside.shared.permissions))
    await inside.transaction?.announce(apiKeyChange(row.digest))
    await inside.transaction?.announce(ownerChange(keyOwner(id)))
    await recordKey(inside, 'apiKey.revoked', row, {})
  })
}

/** Deletes the keys of a tenant that is erased, inside a transaction: another tenant may get its id. */
export async function eraseApiKeys(inside: Context, tenantId: string): Promise<void> {
  await deleteApiKeysOfTenant(keysOfAll(inside).ofTenant(tenantId))
  await inside.transaction?.announce(resync)
}

/**
 * Finds the user for whom a new key acts. A key for somebody else requires a permission by which the caller could take
 * over that account anyway.
 * @throws ServiceError `invalid` for no active user of the tenant, and for attributes beside those of the user;
 *   `forbidden` for a user who may do more, and for somebody else without `user:write`
 */
async function actedFor(
  inside: Context,
  { actsFor = null, attributes = {} }: ApiKeyInput,
): Promise<string | null> {
  if (actsFor === null) return null
  if (Object.keys(attributes).length > 0)
    throw invalidField(
      'attributes',
      'a key that acts for a user has the attributes of the user',
      'notPossible',
    )
  const id = actsFor.toLowerCase()
  const { actor } = inside
  const isOwn = actor !== null && userIdOf(actor) === id
  if (!isOwn && actor?.permissions.has(attributePermission) === false) throw lacking(attributePermission)
  const account = await lockActiveAccount(inside, id)
  if (account === null) throw invalidField('actsFor', 'names no active user', 'notFound')
  await refuseHigherUser(inside, { id, roles: rolesOf(account) })
  return id
}

function expiryOf(context: Context, { expiresAt }: ApiKeyInput): string | null {
  if (expiresAt === undefined || expiresAt === null) return null
  if (expiresAt <= now(context)) throw invalidField('expiresAt', 'must be in the future', 'past')
  return expiresAt
}

function checkedNetworks({ allowedNetworks }: ApiKeyInput): string[] | null {
  if (allowedNetworks === undefined || allowedNetworks === null) return null
  for (const text of allowedNetworks) {
    if (parseNetwork(text) === null)
      throw invalidField('allowedNetworks', `${text} is not a network such as 203.0.113.0/24`, 'badPattern')
  }
  return [...new Set(allowedNetworks)]
}
