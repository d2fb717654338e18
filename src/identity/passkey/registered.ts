/** What other features know of the passkeys of a user. */
import type { UserData } from '../../database/data.ts'
import { countPasskeyRows, deletePasskeys } from './sql.ts'

export function countPasskeys(user: UserData): Promise<number> {
  return countPasskeyRows(user)
}

/** Inside a transaction. */
export async function removePasskeys(user: UserData): Promise<void> {
  await deletePasskeys(user)
}
