/** Checks the rules and providers of an archive: one webhook may run the actions of all rules. */
import { ServiceError } from '../../core/errors.ts'
import type { TenantData } from '../../database/data.ts'
import { maxProviders } from './provider/provider.ts'
import { countProviders } from './provider/sql.ts'
import { maxRules } from './rule/rule.ts'
import { countRules } from './rule/sql.ts'

/** @param data of an archive @throws ServiceError `invalid` for more than a tenant may have */
export async function refuseForeignRules(data: TenantData): Promise<void> {
  if ((await countRules(data)) > maxRules)
    throw new ServiceError('invalid', `The archive has more than ${maxRules} rules for incoming webhooks.`)
  if ((await countProviders(data, '')) > maxProviders)
    throw new ServiceError(
      'invalid',
      `The archive has more than ${maxProviders} providers of incoming webhooks.`,
    )
}
