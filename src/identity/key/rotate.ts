import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, hostTenantId } from '../../core/context.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { keyChange, type SigningKeys } from './signing-keys.ts'

/** Tokens signed before stay valid until they expire. @returns the id of the new key */
export async function rotateKeys(context: Context, keys: SigningKeys): Promise<string> {
  const key = await keys.generate()
  return inCatalogue(context, async (inside) => {
    await keys.adopt(inside.catalogue, key)
    const entry = { action: 'key.rotated', tenantId: hostTenantId, subjectType: 'key' } as const
    await recordAudit(inside, { ...entry, subjectId: key.id })
    await inside.transaction?.announce(keyChange)
    return key.id
  })
}
