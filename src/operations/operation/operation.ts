/** Long operations that an operator requests: stored, run as a job of the installation, and listed with their result. */
import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, hostTenantId, now } from '../../core/context.ts'
import { operatorContext, transactionContext } from '../../core/create-context.ts'
import { invalidField, refusal, ServiceError } from '../../core/errors.ts'
import type { QueuedJob } from '../../core/feature/job.ts'
import { isUuid, newId } from '../../core/id.ts'
import { decodeCursor, type Page, type PageRequest, readPage } from '../../core/page.ts'
import { lockHost, lookUpTenant } from '../../core/tenant/directory.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { requireRecentSignIn } from '../../identity/session/recent-sign-in.ts'
import { enqueue, enqueueWithSecret } from '../../jobs/enqueue.ts'
import { jobs } from '../../jobs/readable.ts'
import { forgetJobSecret } from '../../jobs/secret.ts'
import { refuseMove, requireMove } from '../move/move.ts'
import { databaseKind } from './move.ts'
import { type OperationData, operations } from './run.ts'
import type { MoveInput, OperationKind, OperationStatus, RequestedOperation } from './schema.ts'
import {
  countOperations,
  insertOperation,
  type OperationRow,
  operationPage,
  unfinishedOperations,
  updateOperation,
} from './sql.ts'

interface OperationRequest {
  kind: OperationKind
  /** `null` for the installation. */
  tenantId: string | null
  target?: MoveInput
}

/** @param confirm the id again, as the request of an erasure has to repeat it @throws ServiceError `invalid` */
export function requireConfirmation(tenantId: string, confirm: string): void {
  if (confirm !== tenantId) throw invalidField('confirm', 'has to be the id of the tenant', 'wrong')
}

/**
 * Accepts one operation at a time: operations are heavy, and an erasure would spoil an export of the same tenant.
 * @throws ServiceError `forbidden`, also without a recent sign-in; `notFound`; `invalid` for the host tenant, and for a
 *   database that is not accepted; `conflict` for an active tenant that is to be erased, and while another operation is
 *   not finished
 */
export async function requestOperation(
  context: Context,
  job: QueuedJob<OperationData>,
  request: OperationRequest,
): Promise<RequestedOperation> {
  const { kind, tenantId, target } = request
  requireHost(context)
  await requireRecentSignIn(context)
  return inCatalogue(context, async (inside) => {
    await lockHost(inside)
    const subjectId = tenantId === null ? null : await requireSubject(inside, tenantId, request)
    const hostContext = asHost(inside)
    await closeOthers(inside, hostContext)
    const row: OperationRow = {
      id: newId(),
      kind,
      subject_id: subjectId,
      status: 'WAITING',
      phase: null,
      copied_rows: null,
      total_rows: null,
      host: null, // the machine of the last attempt
      result: null,
      error: null,
      requested_by: inside.actor?.userName ?? '',
      job_id: '',
      created_at: now(inside),
      started_at: null,
      finished_at: null,
    }
    const data = { operationId: row.id }
    row.job_id =
      target === undefined
        ? await enqueue(hostContext, job, data)
        : await enqueueWithSecret(hostContext, job, data, JSON.stringify(target))
    await insertOperation(operations(inside), row)
    await recordAudit(inside, {
      action: 'operation.requested',
      tenantId: hostTenantId,
      subjectType: subjectId === null ? 'installation' : 'tenant',
      subjectId,
      detail: {
        kind,
        operationId: row.id,
        ...(target !== undefined && { to: databaseKind(inside, target.connectionString) }),
      },
    })
    return describe(row)
  })
}

/**
 * Finishes operations whose jobs have ended, so that retrying such a job does not run one beside a new operation.
 * @throws ServiceError `conflict` while one is not finished
 */
async function closeOthers(inside: Context, hostContext: Context): Promise<void> {
  const rows = await unfinishedOperations(operations(inside))
  const unfinished = await Promise.all(rows.map((each) => toOperation(hostContext, each)))
  const other = unfinished.find(({ finishedAt }) => finishedAt === null)
  if (other !== undefined) throw refusal('otherOperation', { kind: other.kind })
  for (const { id, status, error, finishedAt } of unfinished)
    await updateOperation(operations(inside), id, { status, error, finished_at: finishedAt })
  for (const { job_id: jobId } of rows) await forgetJobSecret(hostContext, jobId)
}

/** Newest first. @throws ServiceError `forbidden` outside of the host; `invalid` for a foreign cursor */
export async function listOperations(
  context: Context,
  { limit, cursor, isCounted = false }: PageRequest,
): Promise<Page<RequestedOperation>> {
  requireHost(context)
  const all = operations(context)
  const before = cursor === undefined ? null : decodeCursor(cursor, isUuid)
  const page = await readPage(limit, async (rows) => {
    const found = await operationPage(all, before, rows)
    const hostContext = operatorContext(context.shared, context.tenant)
    return Promise.all(found.map((row) => toOperation(hostContext, row)))
  })
  return isCounted ? { ...page, total: await countOperations(all) } : page
}

async function requireSubject(
  inside: Context,
  tenantId: string,
  { kind, target }: OperationRequest,
): Promise<string> {
  const tenant = await lookUpTenant(inside, tenantId)
  if (tenant === null) throw refusal('noSuch', { label: 'tenant' })
  if (tenant.id === hostTenantId) throw refusal('hostIsNoTarget')
  if (kind === 'erase' && tenant.isActive) throw refusal('tenantIsActive')
  if (target !== undefined) await refuseMove(inside, tenant, target.connectionString)
  if (kind === 'abandonMove') await requireMove(inside, tenant.id)
  return tenant.id
}

/** The job is the host's, whose rows are in the catalogue's database: one transaction stores both. */
function asHost({ shared, tenant, transaction }: Context): Context {
  if (transaction === null) throw new Error('An operation was requested outside a transaction.')
  return transactionContext(operatorContext(shared, tenant), shared.catalogueDatabase, transaction)
}

function requireHost({ actor }: Context): void {
  if (actor?.tenantId !== hostTenantId) throw new ServiceError('forbidden')
}

const ended = 'The service was ended during each attempt.'

/** An operation whose process was killed during the last attempt has not recorded its end: the job tells it. */
async function toOperation(hostContext: Context, row: OperationRow): Promise<RequestedOperation> {
  if (row.finished_at !== null) return describe(row)
  const job = await jobs.show(hostContext, row.job_id).catch(nullIfMissing)
  if (job !== null && job.status !== 'DEAD') return describe(row)
  const finishedAt = job?.finishedAt ?? row.started_at ?? row.created_at
  return describe({ ...row, status: 'FAILED', error: row.error ?? ended, finished_at: finishedAt })
}

function nullIfMissing(error: unknown): null {
  if (error instanceof ServiceError && error.kind === 'notFound') return null
  throw error
}

function describe(row: OperationRow): RequestedOperation {
  return {
    id: row.id,
    kind: row.kind as OperationKind, // written by `requestOperation`
    tenantId: row.subject_id,
    status: row.status as OperationStatus, // written here and in `run.ts`
    phase: row.phase,
    progress:
      row.total_rows === null
        ? null
        : { copiedRows: Number(row.copied_rows), totalRows: Number(row.total_rows) },
    host: row.host,
    result: row.result === null ? null : (JSON.parse(row.result) as Record<string, unknown>), // written as an object
    error: row.error,
    requestedBy: row.requested_by,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  }
}
