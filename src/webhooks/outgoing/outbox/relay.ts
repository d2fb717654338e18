/**
 * Copies events of the catalogue, such as `user.created`, into the tenant's own database. They are stored beside the
 * change that they report, but the subscriptions and the deliveries of the tenant are in its own database.
 */

import type { Shared, Tenant } from '../../../core/context.ts'
import type { Relay } from '../../../core/queue/own-databases.ts'
import type { PendingTenants } from '../../../core/queue/pending-tenants.ts'
import { currentTenant, isUnchanged } from '../../../core/tenant/directory.ts'
import { QueueData } from '../../../database/data.ts'
import { copyEvents, markDispatched, newEventsWithData } from './sql.ts'

/** The most events in one transaction. */
const maxCopiedAtOnce = 100

export class EventRelay implements Relay {
  readonly #shared: Shared
  readonly #pendingTenants: PendingTenants

  constructor(shared: Shared, pendingTenants: PendingTenants) {
    this.#shared = shared
    this.#pendingTenants = pendingTenants
  }

  /** After a crash, the same events are copied again, which changes nothing. @returns whether there may be more */
  async copyEvents(tenant: Tenant): Promise<boolean> {
    const { catalogueDatabase, tenantDatabases, clock } = this.#shared
    // If the tenant moves meanwhile, the copies stay in its former database, and the events are copied again.
    const before = await currentTenant(catalogueDatabase.executor, tenant.id)
    if (before?.hasOwnDatabase !== true) return false
    // Before the copy: after a crash, only the databases of pending tenants are searched for events.
    await this.#pendingTenants.touch(tenant.id)
    const lease = await tenantDatabases.lease(tenant)
    try {
      const source = new QueueData(catalogueDatabase.executor)
      const events = await newEventsWithData(source, tenant.id, maxCopiedAtOnce)
      if (events.length === 0) return false
      await lease.database.transaction((transaction) => copyEvents(new QueueData(transaction), events))
      const now = clock().toISOString()
      const isMarked = await catalogueDatabase.transaction(async (transaction) => {
        if (!(await isUnchanged(transaction, before))) return false
        await markDispatched(new QueueData(transaction), events, now)
        return true
      })
      return isMarked && events.length === maxCopiedAtOnce
    } finally {
      lease.release()
    }
  }
}
