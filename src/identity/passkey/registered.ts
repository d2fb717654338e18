/** What other features may do with the passkeys of a user: count and remove them. */
import type { UserData } from '../../database/data.ts'
import { countPasskeyRows, deletePasskeys } from './sql.ts'

export function countPasskeys(user: UserData): Promise<number> {
  return countPasskeyRows(user)
}

/** Removes all passkeys of the user, inside a transaction. */
export async function removePasskeys(user: UserData): Promise<void> {
  await deletePasskeys(user)
}
