/** The pages of the console other than those of entities, with who sees them, in the order of the navigation. */
import type { ComponentType } from 'preact'
import type { ConsolePage } from './console-page.ts'
import type { laterPages } from './later.ts'
import { lazy } from './lazy.tsx'
import { text } from './text/text.ts'

/** The names of pages without properties. The others are pages of entities, which get the entity. */
type PageName = keyof {
  [name in keyof typeof laterPages as (typeof laterPages)[name] extends () => unknown ? name : never]: 0
}

const { navigation, access, operator, webhook } = text

/** The webhook portal, which is shown in place of the console. */
export const Embedded = pageOf('Embedded')

const inSettings = (group: string) => ({ area: 'settings', group }) as const
const inPeople = inSettings(navigation.people)
const inWebhooks = inSettings(navigation.webhooks)
const outgoing = { ...inWebhooks, permissions: ['webhook:read'] }
const incoming = { ...inWebhooks, permissions: ['incomingWebhook:read'] }
const ofTenant = inSettings(navigation.ofTenant)
const inOperate = {
  area: 'operate',
  group: navigation.areas.operate,
  permissions: ['operation:read'],
} as const

export const pages: readonly ConsolePage[] = [
  { ...inPeople, ...page('/users', navigation.users, 'UsersPage'), permissions: ['user:read'] },
  {
    ...inPeople,
    ...page('/invitations', navigation.invitations, 'InvitationsPage'),
    permissions: ['invitation:read'],
  },
  { ...inPeople, ...page('/roles', navigation.roles, 'RolesPage'), permissions: ['role:read'] },
  { ...inPeople, ...page('/api-keys', navigation.apiKeys, 'ApiKeysPage'), permissions: ['apiKey:read'] },
  {
    ...inPeople,
    ...page('/single-sign-on', access.sso.title, 'SingleSignOnPage'),
    permissions: ['sso:read'],
  },
  { ...outgoing, ...page('/subscriptions', navigation.subscriptions, 'SubscriptionsPage') },
  { ...outgoing, ...page('/deliveries', navigation.deliveries, 'DeliveriesPage') },
  {
    ...inWebhooks,
    ...page('/portal-sessions', webhook.portal.title, 'PortalSessionsPage'),
    permissions: ['webhook:portal'],
  },
  {
    ...inWebhooks,
    ...page('/providers', webhook.provider.title, 'ProvidersPage'),
    permissions: ['webhookProvider:read'],
  },
  { ...incoming, ...page('/rules', navigation.rules, 'RulesPage') },
  { ...incoming, ...page('/receipts', navigation.receipts, 'ReceiptsPage') },
  { ...ofTenant, ...page('/settings', navigation.general, 'SettingsPage'), permissions: ['setting:read'] },
  { ...ofTenant, ...page('/mails', navigation.mails, 'MailsPage'), permissions: ['mail:read'] },
  {
    ...ofTenant,
    ...page('/audit', navigation.audit, 'AuditPage'),
    permissions: ['audit:read', 'audit:read-all'],
  },
  { ...ofTenant, ...page('/jobs', navigation.jobs, 'JobsPage'), permissions: ['job:read'] },
  { ...inSettings(navigation.you), ...page('/account', navigation.account, 'AccountPage'), permissions: [] },
  { ...inOperate, ...page('/tenants', navigation.tenants, 'TenantsPage'), permissions: ['tenant:read'] },
  {
    ...inOperate,
    ...page('/sign-ups', access.signUps.title, 'SignUpsPage'),
    permissions: ['sign-up:read'],
    isForHost: true,
  },
  { ...inOperate, ...page('/health', operator.health.title, 'HealthPage') },
  { ...inOperate, ...page('/dead-letters', operator.deadLetters.title, 'DeadLettersPage') },
  { ...inOperate, ...page('/operations', operator.operations.title, 'OperationsPage') },
  { ...inOperate, ...page('/figures', operator.figures.title, 'FiguresPage') },
  { ...inOperate, ...page('/instances', operator.instances.title, 'InstancesPage') },
  {
    area: 'developers',
    group: navigation.developers,
    ...page('/developers', navigation.developers, 'DevelopersPage'),
    permissions: [],
  },
]

/** Loads the code of all pages except the start page, which is one file. */
export async function loadPages(): Promise<typeof laterPages> {
  return (await import('./later.ts')).laterPages
}

function page(path: string, label: string, name: PageName) {
  return { path, label, Page: pageOf(name) }
}

function pageOf(name: PageName): ComponentType {
  return lazy(async () => (await loadPages())[name])
}
