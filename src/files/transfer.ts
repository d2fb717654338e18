/**
 * Bounds how many uploads and downloads are in progress: each holds an open file, and up to 128 KiB. A network without a
 * token has half of what a tenant may have, so that whoever reads slowly by a link leaves the rest to others.
 */
import type { Context } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import { callerOf } from '../core/limits/caller.ts'
import { fairShare } from '../core/limits/concurrency-limiter.ts'
import type { CostAccount } from '../core/limits/cost-limiter.ts'
import { clientNetwork } from '../core/network.ts'

const maxTransfers = 256
const retryAfterSeconds = 2
/** Bytes that are only passed on cost little. */
const bytesPerUnit = 1024 * 1024

export interface FileTransfer {
  /** Charges the caller. */
  count(bytes: number): void
  /** Further calls do nothing. */
  end(): void
}

/** @throws ServiceError `tooManyRequests` for a caller who has spent much, `overloaded` without a free place */
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
  const end = acquire(context)
  if (end !== null) return { count: (bytes) => account.spend(bytes / bytesPerUnit), end }
  counts.refused++
  throw new ServiceError('overloaded', 'Too many files are being transferred.', { retryAfterSeconds })
}

/** @returns gives the place back; `null` without a free one */
function acquire({ shared, tenant, actor, clientAddress }: Context): (() => void) | null {
  const { transfers, transfersOfNetworks } = shared.files
  const ofTenant = fairShare(maxTransfers, transfers.total)
  if (actor !== null) return transfers.acquire(tenant.id, ofTenant)
  const ofNetwork = Math.max(1, Math.floor(ofTenant / 2))
  const leave = transfersOfNetworks.acquire(clientNetwork(clientAddress ?? ''), ofNetwork)
  const end = leave === null ? null : transfers.acquire(tenant.id, ofTenant)
  if (end === null) leave?.()
  return end === null
    ? null
    : () => {
        end()
        leave?.()
      }
}
