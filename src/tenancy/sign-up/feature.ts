/** Sign-up: strangers create a tenant for themselves, at once or after an approval by the host tenant. */
import type { Feature } from '../../core/feature/feature.ts'
import { removeExpiredSignUps } from './approval.ts'
import { signUpAudit, signUpEvents } from './event.ts'
import { signUpHome } from './home.ts'
import { signUpMails } from './mail.ts'
import { signUpMigrations } from './migration.ts'
import { signUpPages } from './page.ts'
import { waitingSignUps } from './readable.ts'
import { signUpRoutes } from './rest.ts'
import type { SignUpParts } from './sign-up.ts'

export function signUpFeature(parts: SignUpParts): Feature {
  return {
    name: 'sign-up',
    permissions: {
      'sign-up:read': {
        description: 'See sign-ups that wait for approval, in the host tenant',
        role: 'Admin',
      },
      'sign-up:write': { description: 'Approve and reject sign-ups, in the host tenant', role: 'Admin' },
    },
    audited: signUpAudit,
    migrations: signUpMigrations,
    routes: [...signUpRoutes(parts), ...(parts.pages.isOwn ? signUpPages(parts) : [])],
    graphql: waitingSignUps.graphql,
    home: signUpHome,
    events: signUpEvents,
    mails: signUpMails,
    jobs: [removeExpiredSignUps],
  }
}
