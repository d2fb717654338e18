/**
 * Limits how many uploads and downloads are in progress, because each holds an open file and up to 128
 * KiB. Callers without a token from one network get at most half of a tenant's share, so that slow readers
 * of links leave the rest to others.
 */
import type { Context } from '../core/context.ts'
import { refusal } from '../core/errors.ts'
import { callerOf } from '../core/limits/caller.ts'
import type { Bound } from '../core/limits/concurrency-limiter.ts'
import type { CostAccount } from '../core/limits/cost-limiter.ts'
import { clientNetwork } from '../core/network.ts'
import { fairShareText, type Limit } from '../database/limit.ts'

export const maxTransfers = 256
const retryAfterSeconds = 2
export const transferLimit: Limit = {
  name: 'uploads and downloads',
  kind: 'permits',
  bounds: {
    instance: maxTransfers,
    tenant: `${fairShareText}, always one`,
    'address without a token': 'half of what a tenant may have',
  },
  beyond: '503 with `Retry-After`',
  metrics: ['files_in_transfer', 'files_refused_total'],
  page: 'files.md#limits',
}

/** One unit of cost pays for this many bytes, because passing bytes on costs little. */
const bytesPerUnit = 1024 * 1024

export interface FileTransfer {
  /** Charges the caller for the bytes. */
  charge(bytes: number): void
  /** Frees the place of the transfer. Further calls do nothing. */
  end(): void
}

/** @throws ServiceError `tooManyRequests` for a caller who has spent too much, `overloaded` without a free place */
export function beginTransfer(context: Context): FileTransfer {
  const { shared, tenant, actor, clientAddress } = context
  const { counts } = shared.files
  let account: CostAccount
  try {
    account = shared.costLimiter.open(callerOf(tenant.id, actor, clientAddress ?? ''))
  } catch (error) {
    counts.refused++
    throw error
  }
  const end = shared.files.transfers.acquire(boundsOf(context))
  if (end !== null) return { charge: (bytes) => account.spend(bytes / bytesPerUnit), end }
  counts.refused++
  throw refusal('tooManyTransfers', {}, { retryAfterSeconds })
}

function boundsOf({ shared, tenant, actor, clientAddress }: Context): Bound[] {
  const max = shared.files.transfers.fairShare
  const ofTenant = { holder: tenant.id, max }
  if (actor !== null) return [ofTenant]
  const network = clientNetwork(clientAddress ?? '')
  return [ofTenant, { holder: `from ${network}`, max: Math.max(1, Math.floor(max / 2)) }]
}
