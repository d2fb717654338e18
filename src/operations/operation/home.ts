import type { HomePart } from '../../core/feature/browsed.ts'
import { installation } from '../../core/installation.ts'
import { hasDone } from './sql.ts'

/** The step on the home page of the host's administrators that asks for a first backup. */
export const backupHome: HomePart = {
  steps: [
    {
      kind: 'backupMade',
      access: 'operation:read',
      isOfHost: true,
      isDone: (context) => hasDone(installation(context, 'a backup is of the whole installation'), 'backup'),
    },
  ],
}
