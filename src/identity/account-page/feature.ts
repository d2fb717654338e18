import type { Feature } from '../../core/feature/feature.ts'
import { Reply, type Route, route } from '../../core/feature/route.ts'
import type { AccountPages } from '../account-link.ts'
import type { PasswordRecovery } from '../recovery/recovery.ts'
import { invitationPages } from './invitation-page.ts'
import { recoveryPages } from './recovery-page.ts'
import { type SignInPageParts, signInPages } from './sign-in-page.ts'
import { verifyPages } from './verify-page.ts'

export interface AccountPageParts extends SignInPageParts {
  recovery: PasswordRecovery
}

/** The account pages of the service. An application with account pages of its own replaces all of them. */
export function accountPageFeature(pages: AccountPages, parts: AccountPageParts): Feature {
  const { isOwn } = pages
  const routes = () => [
    ...signInPages(pages, parts),
    ...recoveryPages(pages, parts.recovery),
    ...invitationPages(pages),
    ...verifyPages(pages),
  ]
  return { name: 'account-page', routes: [changePassword(pages), ...(isOwn ? routes() : [])] }
}

/** Where password managers send their users (W3C, A Well-Known URL for Changing Passwords). */
function changePassword({ url, isOwn }: AccountPages): Route {
  return route({
    method: 'GET',
    path: '/.well-known/change-password',
    tag: 'Account pages',
    summary: 'Where a password is changed',
    name: 'getChangePasswordPage',
    description: 'For password managers, which send the browser of their user here.',
    access: 'anonymous',
    database: 'none',
    status: 303,
    headers: ['location'],
    handle: async () => new Reply(null, { location: isOwn ? `${url}/forgot-password` : url }),
  })
}
