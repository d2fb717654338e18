/** The step of the home page that is done when the user has a second factor. */
import { atHome } from '../../core/create-context.ts'
import type { HomePart } from '../../core/feature/browsed.ts'
import { factorsOf } from './factor.ts'

export const secondFactorHome: HomePart = {
  steps: [
    {
      kind: 'secondFactor',
      access: 'user',
      isDone: async (context) =>
        context.actor !== null && (await factorsOf(atHome(context), context.actor.id)).length > 0,
    },
  ],
}
