import type { HomePart } from '../core/feature/browsed.ts'
import { comparing } from '../database/read/conditions.ts'
import { mails } from './readable.ts'
import type { MailStatus } from './schema.ts'

/**
 * What the start page tells administrators of mails.
 * @param reachesPeople whether mails go to a mail server, and not into a folder
 */
export function mailHome(reachesPeople: boolean): HomePart {
  const withStatus = (status: MailStatus) => comparing(mails.model, 'status', 'eq', status)
  return {
    needs: [
      {
        kind: 'failedMails',
        access: 'mail:read',
        count: (context, bounds) => mails.countUpTo(context, withStatus('DEAD'), bounds),
      },
    ],
    steps: [
      {
        kind: 'mailSent',
        access: 'mail:read',
        isOfHost: true,
        isDone: async (context, time) =>
          reachesPeople && (await mails.countUpTo(context, withStatus('SENT'), { limit: 1, time })) > 0,
      },
    ],
  }
}
