import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { Feature } from '../../core/feature/feature.ts'
import { recoveryMails } from './mail.ts'
import { PasswordRecovery } from './recovery.ts'
import { recoveryRoutes } from './rest.ts'

export const recoveryAudit = {
  'user.passwordForgotten': 'Somebody asked for a new password of a user',
  'user.passwordReset': 'A user set a new password by a mail',
} satisfies AuditCatalogue

declare module '../../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof recoveryAudit, string> {}
}

/** @param accountUrl where the account pages of the application are */
export function recoveryFeature(accountUrl: string | null): Feature {
  return {
    name: 'recovery',
    audited: recoveryAudit,
    routes: recoveryRoutes(new PasswordRecovery(accountUrl)),
    mails: recoveryMails,
  }
}
