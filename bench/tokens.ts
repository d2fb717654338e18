import { DeclaredAttributes } from '../src/core/attributes.ts'
import { SecretBox } from '../src/core/encryption/secret-box.ts'
import { Permissions } from '../src/core/permission.ts'
import { InstallationData } from '../src/database/data.ts'
import { openDatabase } from '../src/database/open.ts'
import { SigningKeys } from '../src/identity/key/signing-keys.ts'
import { RoleDirectory } from '../src/identity/role/directory.ts'
import { AccessTokens } from '../src/identity/session/access-token.ts'
import { UserDirectory } from '../src/identity/user/directory.ts'
import type { RunningService } from './service.ts'

/**
 * Tokens for a user of each tenant, made by the service's own code: signing in a thousand times would measure
 * the hashing of passwords, which is slow on purpose.
 */
export async function issueTokens(
  service: RunningService,
  masterKey: string,
  tenantIds: readonly string[],
): Promise<string[]> {
  const clock = () => new Date()
  const limits = { maxConnections: 1, connectTimeoutMs: 5000, statementTimeoutMs: 5000 }
  const database = await openDatabase({ kind: 'sqlite', path: service.databaseFile }, limits)
  try {
    const keys = new SigningKeys(database, new SecretBox(Buffer.from(masterKey, 'base64')), clock)
    const permissions = new Permissions([], 'default')
    const catalogue = new InstallationData(database.executor)
    const roles = new RoleDirectory(catalogue, {
      permissions: () => permissions,
      applicationRoles: () => new Map(),
    })
    const known = new UserDirectory(catalogue, () => new DeclaredAttributes(new Map()))
    const tokens = new AccessTokens(keys, service.url, clock, { roles, known })
    const user = { id: 'bench', userName: 'bench', email: 'bench@example.com', sessionId: 'bench' }
    const issue = async (tenantId: string) =>
      (await tokens.issue({ ...user, tenantId, roles: ['Admin'] })).token
    return await Promise.all(tenantIds.map(issue))
  } finally {
    await database.close()
  }
}
