/** Rows of the catalogue that expire: the statements of the jobs that remove them. */
import type { InstallationTables } from './catalogue-tables.ts'
import type { InstallationData } from './data.ts'
import { inJsonRows } from './json-rows.ts'
import { prepareForInstallation } from './prepared.ts'

type ExpiringTable = {
  [T in keyof InstallationTables]: InstallationTables[T] extends { expires_at: string } ? T : never
}[keyof InstallationTables]

export interface ExpiringRows {
  /** @returns the keys of rows that expired earlier, the earliest expired first */
  expiredBefore(installation: InstallationData, moment: string, limit: number): Promise<string[]>
  remove(installation: InstallationData, keys: readonly string[]): Promise<void>
}

/** @param key the column of the primary key: an id, or a text */
export function expiringRows(table: ExpiringTable, key: 'id' | 'hash' = 'id'): ExpiringRows {
  // Typed as one table and its key, because there is no type for any.
  const [name, keyColumn] = [table, key] as ['session', 'id']
  const expired = prepareForInstallation((tables, p: { moment: string; limit: number }) =>
    tables
      .selectFrom(name)
      .select(`${keyColumn} as key`)
      .where('expires_at', '<', p.moment)
      .orderBy('expires_at')
      .limit(p.limit),
  )
  const type = key === 'id' ? 'id' : 'key'
  const removed = prepareForInstallation((tables, p: { keys: string }, dialect) =>
    tables.deleteFrom(name).where(inJsonRows(dialect, key, { json: p.keys, name: 'key', type })),
  )
  return {
    expiredBefore: async (installation, moment, limit) =>
      (await installation.all(expired, { moment, limit })).map((row) => row.key),
    remove: async (installation, keys) => {
      await installation.change(removed, { keys: JSON.stringify(keys.map((each) => ({ key: each }))) })
    },
  }
}
