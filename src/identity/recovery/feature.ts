import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { Feature } from '../../core/feature/feature.ts'
import { recoveryMails } from './mail.ts'
import type { PasswordRecovery } from './recovery.ts'
import { recoveryRoutes } from './rest.ts'

export const recoveryAudit = {
  'user.passwordForgotten': 'Somebody asked for a new password of a user',
  'user.passwordResetStarted': 'An administrator sent a user a mail with which to set a new password',
  'user.passwordReset': 'A user set a new password by a mail',
} satisfies AuditCatalogue

declare module '../../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof recoveryAudit, string> {}
}

export function recoveryFeature(recovery: PasswordRecovery): Feature {
  return {
    name: 'recovery',
    audited: recoveryAudit,
    routes: recoveryRoutes(recovery),
    mails: recoveryMails,
  }
}
