import { CachedCount } from '../core/cached-count.ts'
import type { Metric } from '../core/metric.ts'
import type { Database } from '../database/executor.ts'
import { allMails } from './all-mails.ts'
import type { MailRuns } from './queue/mail-queue.ts'
import { countByStatus } from './sql.ts'

/** The metrics of mails. @param runs called when the metrics are read; it returns `null` while no mail can be sent */
export function mailMetrics(runs: () => MailRuns | null, catalogue: Database, clock: () => Date): Metric[] {
  const counts = new CachedCount(clock, () => countByStatus(allMails(catalogue.executor)))
  return [
    {
      name: 'tenantry_mails_attempts_total',
      help: 'Attempts to send mails that have ended, by template and outcome.',
      kind: 'counter',
      labels: ['template', 'outcome'],
      read: () => runs()?.attempts.samples() ?? [],
    },
    {
      name: 'tenantry_mails',
      help: 'Mails by status, without sent ones, as of the last count.',
      kind: 'gauge',
      labels: ['status'],
      read: async () => {
        const found = await counts.read()
        return ['PENDING', 'DEAD'].map((status) => ({ labels: { status }, value: found.get(status) ?? 0 }))
      },
    },
  ]
}
