/**
 * Checks the providers and rules for incoming webhooks in the archive of a tenant, before they are imported. Their
 * number is limited, because one webhook may run the actions of all rules.
 */
import type { SecretBox } from '../../core/encryption/secret-box.ts'
import { ServiceError } from '../../core/errors.ts'
import type { TenantData } from '../../database/data.ts'
import { maxProviders, refuseForeignSecret } from './provider/provider.ts'
import { allProviders, countProviders } from './provider/sql.ts'
import { maxRules } from './rule/rule.ts'
import { countRules } from './rule/sql.ts'

/**
 * @param data the rows of the archive
 * @throws ServiceError `invalid` for more rules or providers than a tenant may have, and for a secret
 *   that its scheme does not accept
 */
export async function refuseForeignRules(data: TenantData, secretBox: SecretBox): Promise<void> {
  if ((await countRules(data)) > maxRules)
    throw new ServiceError('invalid', `The archive has more than ${maxRules} rules for incoming webhooks.`)
  if ((await countProviders(data)) > maxProviders)
    throw new ServiceError(
      'invalid',
      `The archive has more than ${maxProviders} providers of incoming webhooks.`,
    )
  for (const row of await allProviders(data)) refuseForeignSecret(secretBox, row)
}
