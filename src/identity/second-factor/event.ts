import type { AuditCatalogue } from '../../core/audit/action.ts'

export const secondFactorAudit = {
  'factor.added': 'A user added a second factor',
  'factor.removed': 'A user removed a second factor',
  'factor.reset': 'An administrator removed the second factors of a user',
  'factor.refused': 'A user gave a wrong code of a second factor',
  'recoveryCode.used': 'A user used a recovery code',
  'recoveryCode.renewed': 'A user made new recovery codes',
} satisfies AuditCatalogue

declare module '../../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof secondFactorAudit, string> {}
}
