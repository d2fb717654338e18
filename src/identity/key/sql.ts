import type { Selectable } from 'kysely'
import type { SigningKeyTable } from '../../database/catalogue-tables.ts'
import type { InstallationData } from '../../database/data.ts'

export type StoredKey = Selectable<SigningKeyTable>

/** The newest key, and keys that are retired after the given moment; the oldest first. */
export function keysInUse(catalogue: InstallationData, retiredAfter: string): Promise<StoredKey[]> {
  return catalogue.kysely
    .selectFrom('signing_key')
    .selectAll()
    .where((expression) =>
      expression.or([expression('retired_at', 'is', null), expression('retired_at', '>', retiredAfter)]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** @returns the encrypted private key of the newest key; `null` if there is none */
export async function presentPrivateKey(catalogue: InstallationData): Promise<Uint8Array | null> {
  const row = await catalogue.kysely
    .selectFrom('signing_key')
    .select('private_key')
    .where('retired_at', 'is', null)
    .executeTakeFirst()
  return row?.private_key ?? null
}

export async function insertKey(catalogue: InstallationData, row: StoredKey): Promise<void> {
  await catalogue.kysely.insertInto('signing_key').values(row).execute()
}

/** Retires every key but this one at the moment, unless it retires before. */
export async function retireOtherKeys(
  catalogue: InstallationData,
  id: string,
  moment: string,
): Promise<void> {
  await catalogue.kysely
    .updateTable('signing_key')
    .set({ retired_at: moment })
    .where('id', '!=', id)
    .where((expression) =>
      expression.or([expression('retired_at', 'is', null), expression('retired_at', '>', moment)]),
    )
    .execute()
}
