/** The job that runs a requested operation. After a crash its next attempt resumes it, or begins it again. */
import { hostname } from 'node:os'
import { type Static, Type } from 'typebox'
import { type Context, type JobAttempt, now } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { job, type QueuedJob } from '../../core/feature/job.ts'
import { installation } from '../../core/installation.ts'
import { failureText } from '../../core/queue/failure-text.ts'
import { inCatalogue } from '../../core/transaction.ts'
import type { InstallationData } from '../../database/data.ts'
import { forgetJobSecret } from '../../jobs/secret.ts'
import { eraseTenant } from '../erase/erase.ts'
import type { RowProgress } from '../move/plan.ts'
import { CopyDiffers } from '../rows/compare.ts'
import { TenantLocked } from '../tenant-lock.ts'
import { backUpInstallation, exportToArchive, type Made } from './make.ts'
import { abandonRequestedMove, moveToTarget } from './move.ts'
import type { OperationKind } from './schema.ts'
import { findOperation, type OperationChange, type OperationRow, updateOperation } from './sql.ts'

const OperationData = Type.Object({ operationId: Type.String({ format: 'uuid' }) })
export type OperationData = Static<typeof OperationData>

/** The waits between attempts. An attempt counts when it begins, also if its process is then killed. */
const retrySeconds = [5, 30, 120, 600]
const timeoutSeconds = 24 * 60 * 60

/** @param contents the folder of the contents of files; `null` if another store has them */
export function operationJob(contents: string | null): QueuedJob<OperationData> {
  return job(
    'operation.run',
    {
      data: OperationData,
      retrySeconds,
      timeoutSeconds,
      run: (context, { operationId }, attempt) =>
        runOperation(context, operationId, { ...attempt, contents }),
    },
    true, // the job is for the installation, and runs with the rights of the operator
  )
}

interface Attempt extends JobAttempt {
  contents: string | null
}

async function runOperation(context: Context, id: string, attempt: Attempt): Promise<void> {
  const row = await findOperation(operations(context), id)
  if (row === null || row.finished_at !== null) return
  const update = (change: OperationChange) =>
    inCatalogue(context, async (inside) => {
      await updateOperation(operations(inside), id, change)
      if (typeof change.finished_at === 'string') await forgetJobSecret(inside, attempt.jobId)
    })
  const reached = (phase: string) => update({ phase })
  const copied = ({ copied: rows, total }: RowProgress) => update({ copied_rows: rows, total_rows: total })
  await update({ status: 'RUNNING', host: hostname(), started_at: now(context), error: null })
  try {
    const { result, error = null } = await carryOut(context, row, { ...attempt, reached, copied })
    const status = error === null ? 'DONE' : 'FAILED'
    await update({ status, error, result: JSON.stringify(result), finished_at: now(context) })
  } catch (error) {
    await update(failureOf(context, error, attempt))
    if (!isFinal(error)) throw error
  }
}

/**
 * An attempt that is aborted because the service stops, or because its lease was lost, does not end the operation, even
 * if it is the last one: it waits, because the queue runs its job again. After a time-out of the last attempt the job is
 * dead, and `toOperation` shows the operation as FAILED.
 */
function failureOf(context: Context, error: unknown, { attempt }: Attempt): OperationChange {
  const { signal } = context
  const isAborted = signal?.aborted === true
  const isLast = isFinal(error) || (attempt > retrySeconds.length && !isAborted)
  return {
    status: isLast ? 'FAILED' : 'WAITING',
    error: failureText(isAborted ? signal.reason : error) ?? 'The log has the cause.',
    finished_at: isLast ? now(context) : null,
  }
}

type ReportingAttempt = Attempt & {
  reached: (phase: string) => Promise<void>
  copied: (progress: RowProgress) => Promise<void>
}

async function carryOut(context: Context, row: OperationRow, attempt: ReportingAttempt): Promise<Made> {
  const source = { ...attempt, name: row.created_at.replaceAll(':', '-') }
  const tenantId = row.subject_id ?? ''
  switch (
    row.kind as OperationKind // written by `requestOperation`
  ) {
    case 'backup':
      return backUpInstallation(context, source)
    case 'export':
      return exportToArchive(context, tenantId, source)
    case 'erase':
      return erase(context, tenantId, attempt)
    case 'move':
      return moveToTarget(context, tenantId, attempt)
    case 'abandonMove':
      return abandonRequestedMove(context, tenantId, attempt)
  }
}

async function erase(
  context: Context,
  tenantId: string,
  { attempt, reached }: ReportingAttempt,
): Promise<Made> {
  try {
    const { rows, deleted, emptied, left } = await eraseTenant(context, tenantId, { reached })
    return { result: { rows, deleted, emptied, left } }
  } catch (error) {
    // An earlier attempt has erased the tenant, and was killed before it could say so.
    if (attempt > 1 && error instanceof ServiceError && error.kind === 'notFound') return { result: {} }
    throw error
  }
}

/** Whether another attempt would be refused for the same reason. */
function isFinal(error: unknown): boolean {
  if (error instanceof CopyDiffers) return true
  if (error instanceof TenantLocked) return false
  return error instanceof ServiceError && ['invalid', 'notFound', 'conflict'].includes(error.kind)
}

export function operations(context: Context): InstallationData {
  return installation(context, 'operations are requests of the operator')
}
