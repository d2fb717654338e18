import type { HomePart } from '../core/feature/browsed.ts'
import { comparing } from '../database/read/conditions.ts'
import { mails } from './readable.ts'
import type { MailStatus } from './schema.ts'

/** @param reachesPeople whether mails go to a server, and not into a folder */
export function mailHome(reachesPeople: boolean): HomePart {
  const having = (status: MailStatus) => comparing(mails.model, 'status', 'eq', status)
  return {
    needs: [
      {
        kind: 'failedMails',
        access: 'mail:read',
        count: (context, bounds) => mails.countUpTo(context, having('DEAD'), bounds),
      },
    ],
    steps: [
      {
        kind: 'mailSent',
        access: 'mail:read',
        isOfHost: true,
        isDone: async (context, time) =>
          reachesPeople && (await mails.countUpTo(context, having('SENT'), { limit: 1, time })) > 0,
      },
    ],
  }
}
