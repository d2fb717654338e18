/** Removes old sessions, and the sessions of a tenant that is erased. */

import { type Context, hostTenantId, now } from '../../../core/context.ts'
import type { IntervalJob } from '../../../core/feature/job.ts'
import { installation } from '../../../core/installation.ts'
import { inBatches } from '../../../database/batches.ts'
import type { InstallationData } from '../../../database/data.ts'
import { type Database, type Executor, resync, type Transaction } from '../../../database/executor.ts'
import { useIntervalMs } from '../refresh-token/refresh.ts'
import { revocationKeptMs } from '../revocation.ts'
import { later } from '../session.ts'
import {
  deleteCounts,
  deleteRefreshTokens,
  deleteSessions,
  endAllSessions,
  lockExpired,
  sessionsExpiredBefore,
} from './sql.ts'

/** How long sessions are kept after their expiry: networks from which a user has signed in are trusted more. */
const retentionMs = 30 * 24 * 60 * 60 * 1000

export const removeOldSessions: IntervalJob = {
  name: 'remove old sessions',
  everyMs: 60 * 60 * 1000,
  run: ({ shared }, signal) => {
    const before = new Date(shared.clock().getTime() - retentionMs)
    return removeSessions(shared.catalogueDatabase, before, signal)
  },
}

/**
 * Removes sessions that expired before a moment. The batch removes refresh tokens first, because a session may have
 * hundreds, but locks their sessions before them.
 */
export async function removeSessions(database: Database, before: Date, signal?: AbortSignal): Promise<void> {
  const moment = before.toISOString()
  const next = async (rows: number) => {
    const found = await sessionsExpiredBefore(expiring(database.executor), moment, rows)
    return found.length === 0 ? null : { found, rows }
  }
  const work = async (transaction: Transaction, { found, rows }: { found: string[]; rows: number }) => {
    const catalogue = expiring(transaction)
    const ids = await lockExpired(catalogue, found, moment)
    const tokens = await deleteRefreshTokens(catalogue, ids, rows)
    if (tokens < rows) await deleteSessions(catalogue, ids)
  }
  await inBatches(database, { next, work }, signal)
}

function expiring(executor: Executor): InstallationData {
  return installation(executor, 'old sessions of all tenants are removed')
}

/** The id of no user. */
const noUserId = '00000000-0000-0000-0000-000000000000'

/**
 * Erases the sessions of a tenant, inside a transaction, after sign-ins are refused. Keeps only the ids of sessions
 * that may have valid access tokens: every instance refuses these tokens, also if another tenant gets the id.
 */
export async function eraseSessions(inside: Context, tenantId: string): Promise<void> {
  // Not by the expiry: an access token may be valid for longer than its session.
  const unusedSince = later(inside, -revocationKeptMs - useIntervalMs)
  const erasing = installation(inside, 'sessions of an erased tenant, without their users, become the host’s')
  const owner = { tenantId: hostTenantId, accountId: noUserId }
  await endAllSessions(erasing, tenantId, owner, { unusedSince, moment: now(inside) })
  // The counts of failed sign-ins and of waits, whose keys `SignInBackoff` makes of tenant, network and name.
  for (const policy of ['failure', 'wait']) await deleteCounts(erasing, `${policy}:${tenantId}:`)
  await inside.transaction?.announce(resync) // one announcement for many sessions: every instance reads them again
}
