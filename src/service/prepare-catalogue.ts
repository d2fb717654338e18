/** Checks that the catalogue is the right one and can be decrypted, before anything is written, and migrates it. */
import { existsSync } from 'node:fs'
import type { Shared, TenantDatabases } from '../core/context.ts'
import { keepMasterKey } from '../core/encryption/master-key.ts'
import { CannotDecrypt, type SecretBox } from '../core/encryption/secret-box.ts'
import { type Config, ConfigError } from '../core/settings/config.ts'
import { ensureIdentity } from '../database/database-identity.ts'
import { type Database, DatabaseUnavailable } from '../database/executor.ts'
import { migrate } from '../database/migrate/apply.ts'
import type { Migration } from '../database/migration.ts'
import { placeOf } from '../database/postgres/server.ts'
import type { SigningKeys } from '../identity/key/signing-keys.ts'
import { markedInstallation, refuseForeignCatalogue, refuseLostTables } from '../operations/lost-catalogue.ts'

type KeyConfig = Pick<Config, 'masterKey' | 'newMasterKeyFile' | 'previousMasterKeys'>

interface CatalogueParts {
  config: KeyConfig
  /** The database of the catalogue. */
  database: Database
  keys: SigningKeys
  migrations: readonly Migration[]
  shared: Pick<Shared, 'secretBox'>
  tenantDatabases: Pick<TenantDatabases, 'dataDir' | 'sharedTarget'>
}

/**
 * @param options those of `migrate`, and `server`: the same database without a connection pooler
 * @returns the names of the applied migrations, and the id of the installation
 * @throws DatabaseUnavailable for a lost catalogue or that of another installation; CannotDecrypt, ConfigError for a
 *   master key that is not the one of the catalogue; MigrationFailed, MigrationRefused
 */
export async function prepareCatalogue(
  { config, database, keys, migrations, shared, tenantDatabases }: CatalogueParts,
  options: { lockWaitMs?: number; server?: Database } = {},
): Promise<{ applied: string[]; installation: string }> {
  const { server = database } = options
  if (server !== database && (await placeOf(server)) !== (await placeOf(database)))
    throw new DatabaseUnavailable('DATABASE_URL and DATABASE_DIRECT_URL lead to different databases.')
  await refuseLostTables(tenantDatabases, database)
  await refuseForeignCatalogue(tenantDatabases, database)
  await requireKey(keys, config, shared.secretBox)
  keepNewKey(config, shared.secretBox)
  const applied = await migrate(server, migrations, options)
  const id = markedInstallation(tenantDatabases)
  const identity = await ensureIdentity(server, id === null ? {} : { id })
  await keys.signer() // created before the first instance starts
  return { applied, installation: identity.id }
}

/** A process that starts at the same time may have generated another key, and have encrypted with it. */
async function requireKey(keys: SigningKeys, config: KeyConfig, secretBox: SecretBox): Promise<void> {
  try {
    await keys.requireDecryptable()
  } catch (error) {
    const { newMasterKeyFile: file } = config
    if (!(error instanceof CannotDecrypt) || file === null) throw error
    if (!existsSync(file)) throw keyIsLost(file)
    keepNewKey(config, secretBox)
    await keys.requireDecryptable()
  }
}

function keepNewKey(
  { masterKey, newMasterKeyFile, previousMasterKeys }: KeyConfig,
  secretBox: SecretBox,
): void {
  if (newMasterKeyFile === null) return
  const kept = keepMasterKey(masterKey, newMasterKeyFile)
  if (Buffer.compare(kept, masterKey) !== 0) secretBox.changeKeys(kept, [masterKey, ...previousMasterKeys])
}

function keyIsLost(file: string): ConfigError {
  const found = `MASTER_KEY: is not set, and there is no ${file}, but the database is encrypted.`
  return new ConfigError([`${found} Set the key that it was encrypted under, or put its file back`])
}
