import type { Feature } from '../../core/feature/feature.ts'
import type { AccountPages } from '../account-link.ts'
import type { PasswordRecovery } from '../recovery/recovery.ts'
import { invitationPages } from './invitation-page.ts'
import { recoveryPages } from './recovery-page.ts'
import { type SignInPageParts, signInPages } from './sign-in-page.ts'
import { verifyPages } from './verify-page.ts'

export interface AccountPageParts extends SignInPageParts {
  recovery: PasswordRecovery
}

/** An application with account pages of its own replaces them all. */
export function accountPageFeature({ isOwn }: AccountPages, parts: AccountPageParts): Feature {
  const routes = () => [
    ...signInPages(parts),
    ...recoveryPages(parts.recovery),
    ...invitationPages,
    ...verifyPages,
  ]
  return { name: 'account-page', routes: isOwn ? routes() : [] }
}
