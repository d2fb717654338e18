import type { Feature } from '../../core/feature/feature.ts'
import type { AccountPages } from '../account-link.ts'
import type { PasswordRecovery } from '../recovery/recovery.ts'
import { invitationPages } from './invitation-page.ts'
import { recoveryPages } from './recovery-page.ts'

/** An application with account pages of its own replaces them all. */
export function accountPageFeature({ isOwn }: AccountPages, recovery: PasswordRecovery): Feature {
  return { name: 'account-page', routes: isOwn ? [...recoveryPages(recovery), ...invitationPages] : [] }
}
