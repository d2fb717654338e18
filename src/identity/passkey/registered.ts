/** What other features know of the passkeys of a user. */
import type { Context } from '../../core/context.ts'
import { countPasskeyRows, deletePasskeys } from './sql.ts'

export function countPasskeys({ installation: catalogue }: Context, accountId: string): Promise<number> {
  return countPasskeyRows(catalogue, accountId)
}

/** Inside a transaction. */
export async function removePasskeys(inside: Context, accountId: string): Promise<void> {
  await deletePasskeys(inside.installation, accountId)
}
