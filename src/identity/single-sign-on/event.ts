import type { AuditCatalogue } from '../../core/audit/action.ts'

export const singleSignOnAudit = {
  'sso.configured': 'The identity provider of a tenant was set or changed',
  'sso.removed': 'The identity provider of a tenant was removed',
  'sso.clientKeyCreated': 'A key was made with which the service authenticates at the identity provider',
  'sso.clientKeyActivated': 'The service signs with another key at the identity provider',
  'sso.domainAdded': 'A domain was added, to be proven',
  'sso.domainVerified': 'A domain was proven',
  'sso.domainRemoved': 'A domain was removed',
  'sso.linked': 'A user of the identity provider was linked with a user',
  'sso.credentialsRemoved':
    'Password, factors and sessions of a user were removed, because somebody else may have set them before the provider named the user',
  'sso.rolesKept':
    'The roles of a user stayed at a sign-in, because the provider said nothing of its groups, or would have left no administrator',
  'sso.refused': 'A sign-in at the identity provider was refused',
  'sso.signedOut': 'The identity provider has signed a user out',
  'sso.signOutRefused': 'A sign-out by the identity provider was refused',
} satisfies AuditCatalogue

declare module '../../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof singleSignOnAudit, string> {}
}
