import type { Selectable } from 'kysely'
import type { InstallationData } from '../../database/data.ts'
import { pick, prepareForInstallation } from '../../database/prepared.ts'
import type { SigningKeyTable } from './table.ts'

export type StoredKey = Selectable<SigningKeyTable>

const inUse = prepareForInstallation((tables, p: { retiredAfter: string }) =>
  tables
    .selectFrom('signing_key')
    .selectAll()
    .where((eb) => eb.or([eb('retired_at', 'is', null), eb('retired_at', '>', p.retiredAfter)]))
    .orderBy('created_at')
    .orderBy('id'),
)

/** The newest key, and keys that are retired after the given moment; the oldest first. */
export function keysInUse(installation: InstallationData, retiredAfter: string): Promise<StoredKey[]> {
  return installation.all(inUse, { retiredAfter })
}

const newest = prepareForInstallation((tables) =>
  tables.selectFrom('signing_key').select('private_key').where('retired_at', 'is', null),
)

/** @returns the encrypted private key of the newest key; `null` if there is none */
export async function presentPrivateKey(installation: InstallationData): Promise<Uint8Array | null> {
  return (await installation.first(newest, {}))?.private_key ?? null
}

const columns = ['id', 'algorithm', 'public_key', 'private_key', 'created_at', 'retired_at'] as const

const added = prepareForInstallation((tables, p: StoredKey) =>
  tables.insertInto('signing_key').values(pick(p, columns)),
)

export async function insertKey(installation: InstallationData, row: StoredKey): Promise<void> {
  await installation.change(added, row)
}

const othersRetired = prepareForInstallation((tables, p: { id: string; moment: string }) =>
  tables
    .updateTable('signing_key')
    .set({ retired_at: p.moment })
    .where('id', '!=', p.id)
    .where((eb) => eb.or([eb('retired_at', 'is', null), eb('retired_at', '>', p.moment)])),
)

/** Retires all other keys at the moment, except keys that retire earlier. */
export async function retireOtherKeys(
  installation: InstallationData,
  id: string,
  moment: string,
): Promise<void> {
  await installation.change(othersRetired, { id, moment })
}
