import { inspect } from '../support/database/inspect.ts'
import type { IdentityService } from './identity-service.ts'

/** Gives a user an address that an earlier version has accepted, and that no mail can be sent to. */
export async function storeUnmailableAddress({ config }: IdentityService, userId: string): Promise<void> {
  const address = `"${userId} a"@example.com`
  const sql = `UPDATE account SET email = '${address}', email_key = '${address}' WHERE id = '${userId}'`
  await inspect(config.databaseUrl, sql)
}
