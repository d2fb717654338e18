/** Moves that are requested over the API. The connection string is the secret of the job, and is kept nowhere else. */
import type { Context, JobAttempt } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { readJobSecret } from '../../jobs/secret.ts'
import { abandonMove, isMoved, moveTenant } from '../move/move.ts'
import type { MoveOptions } from '../move/plan.ts'
import { parseTarget } from '../tenant-database.ts'
import type { Made } from './make.ts'
import type { MoveInput } from './schema.ts'

type Reached = (phase: string) => Promise<void>

/** @throws ServiceError `invalid` for a connection string that is not accepted */
export function databaseKind(context: Context, connectionString: string | null): string {
  return connectionString === null ? 'shared' : parseTarget(context, connectionString).kind
}

/** Moves a tenant as the command `tenant move` does. A further attempt continues the move. */
export async function moveToTarget(
  context: Context,
  tenantId: string,
  {
    jobId,
    attempt,
    reached,
    copied,
  }: JobAttempt & { reached: Reached } & Required<Pick<MoveOptions, 'copied'>>,
): Promise<Made> {
  const { connectionString, replace = false, removeAfterSeconds } = await readTarget(context, jobId)
  const database = databaseKind(context, connectionString)
  // An earlier attempt has moved the tenant, and was killed before it could say so.
  if (attempt > 1 && (await isMoved(context, tenantId, connectionString))) return { result: { database } }
  // The database that keeps the former rows; `null` if they were removed.
  const left = await moveTenant(context, tenantId, connectionString, {
    replace,
    ...(removeAfterSeconds !== undefined && { removeAfterMs: removeAfterSeconds * 1000 }),
    ...(context.signal !== null && { signal: context.signal }),
    copied,
    // Writes are refused while `fenced` lasts: nothing else is written then.
    reached: async (phase) => {
      if (phase !== 'fenced') await reached(phase)
    },
  })
  return { result: { database, left } }
}

/** Abandons a move as the command `tenant move --abandon` does. */
export async function abandonRequestedMove(
  context: Context,
  tenantId: string,
  { attempt }: JobAttempt,
): Promise<Made> {
  try {
    await abandonMove(context, tenantId)
  } catch (error) {
    const isGone = error instanceof ServiceError && error.kind === 'notFound'
    if (attempt === 1 || !isGone) throw error
  }
  return { result: {} }
}

/** @throws ServiceError `invalid` for a job whose secret is deleted; CannotDecrypt */
async function readTarget(context: Context, jobId: string): Promise<MoveInput> {
  const secret = await readJobSecret(context, jobId)
  if (secret === null) throw new ServiceError('invalid', 'The target of the move is no longer known.')
  return JSON.parse(secret) as MoveInput // `requestOperation` has written it
}
