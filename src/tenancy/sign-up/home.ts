/** What the home page of the console says of sign-ups: those that wait for a decision of the host tenant. */
import type { HomePart } from '../../core/feature/browsed.ts'
import { everything } from '../../database/read/filter.ts'
import { waitingSignUps } from './readable.ts'

export const signUpHome: HomePart = {
  needs: [
    {
      kind: 'waitingSignUps',
      access: 'sign-up:read',
      isOfHost: true,
      count: (context, bounds) => waitingSignUps.countUpTo(context, everything, bounds),
    },
  ],
}
