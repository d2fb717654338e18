/** The built-in tables, which the features of the package add to its types. */
import type { CatalogueTables, TenantData } from 'tenantry'

export type MailStatus = CatalogueTables['mail']['status']
export type UserName = CatalogueTables['account']['user_name']

export function eventIds({ kysely }: TenantData): Promise<{ id: string }[]> {
  return kysely.selectFrom('event').select('id').execute()
}
