import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { Feature } from '../../core/feature/feature.ts'
import type { AccountPages } from '../account-link.ts'
import { emailAddressMails } from './mail.ts'
import { emailAddressRoutes } from './rest.ts'

export const emailAddressAudit = {
  'user.emailRequested': 'A user asked for a mail that verifies its address or changes it',
  'user.emailVerified': 'A user verified its address by a mail',
  'user.emailChanged': 'A user changed its address by a mail to the new one',
} satisfies AuditCatalogue

declare module '../../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof emailAddressAudit, string> {}
}

export function emailAddressFeature(pages: AccountPages): Feature {
  return {
    name: 'email-address',
    audited: emailAddressAudit,
    routes: emailAddressRoutes(pages),
    mails: emailAddressMails,
  }
}
