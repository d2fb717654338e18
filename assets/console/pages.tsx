/** The pages of the console, and who finds them in the navigation. */
import { isShown } from './access.ts'
import { useApp } from './app-context.ts'
import type { ConsolePage } from './console-page.ts'
import { NewRow, RowDetail } from './entity/detail.tsx'
import { EntityList } from './entity/list.tsx'
import { lazy } from './lazy.tsx'
import { operatorPages } from './operator-pages.tsx'
import { HomePage } from './page/home.tsx'
import { text } from './text/text.ts'

const ImportPage = lazy(async () => (await import('./entity/import/import.tsx')).ImportPage)
const Users = lazy(async () => (await import('./page/people/users.tsx')).UsersPage)
const Roles = lazy(async () => (await import('./page/people/roles.tsx')).RolesPage)
const ApiKeys = lazy(async () => (await import('./page/people/api-keys.tsx')).ApiKeysPage)
const Invitations = lazy(async () => (await import('./page/people/invitations.tsx')).InvitationsPage)
const Settings = lazy(async () => (await import('./page/tenant/settings.tsx')).SettingsPage)
const SingleSignOn = lazy(async () => (await import('./page/sso/single-sign-on.tsx')).SingleSignOnPage)
const Tenants = lazy(async () => (await import('./page/operation/tenants.tsx')).TenantsPage)
const Jobs = lazy(async () => (await import('./page/operation/jobs.tsx')).JobsPage)
const Mails = lazy(async () => (await import('./page/operation/mails.tsx')).MailsPage)
const Account = lazy(async () => (await import('./page/account/account.tsx')).AccountPage)
const Audit = lazy(async () => (await import('./page/operation/audit.tsx')).AuditPage)
const Subscriptions = lazy(async () => (await import('./page/webhook/subscriptions.tsx')).default)
const Deliveries = lazy(async () => (await import('./page/webhook/deliveries.tsx')).default)
const PortalSessions = lazy(async () => (await import('./page/webhook/portal-sessions.tsx')).default)
const Developers = lazy(async () => (await import('./page/developers.tsx')).default)
const Providers = lazy(async () => (await import('./page/webhook/providers.tsx')).default)
const Rules = lazy(async () => (await import('./page/webhook/rules.tsx')).default)
const Receipts = lazy(async () => (await import('./page/webhook/receipts.tsx')).default)

const outgoing = { group: text.navigation.webhooks, permissions: ['webhook:read'] }
const incoming = { group: text.navigation.webhooks, permissions: ['incomingWebhook:read'] }

const webhookPages: readonly ConsolePage[] = [
  {
    ...outgoing,
    path: '/subscriptions',
    label: text.navigation.subscriptions,
    show: () => <Subscriptions />,
  },
  { ...outgoing, path: '/deliveries', label: text.navigation.deliveries, show: () => <Deliveries /> },
  {
    path: '/portal-sessions',
    label: text.webhook.portal.title,
    group: text.navigation.webhooks,
    permissions: ['webhook:portal'],
    show: () => <PortalSessions />,
  },
  {
    ...incoming,
    path: '/providers',
    label: text.webhook.provider.title,
    permissions: ['webhookProvider:read'],
    show: () => <Providers />,
  },
  { ...incoming, path: '/rules', label: text.navigation.rules, show: () => <Rules /> },
  { ...incoming, path: '/receipts', label: text.navigation.receipts, show: () => <Receipts /> },
]

export const pages: readonly ConsolePage[] = [
  {
    path: '/users',
    label: text.navigation.users,
    group: text.navigation.people,
    permissions: ['user:read'],
    show: () => <Users />,
  },
  {
    path: '/invitations',
    label: text.navigation.invitations,
    group: text.navigation.people,
    permissions: ['invitation:read'],
    show: () => <Invitations />,
  },
  {
    path: '/roles',
    label: text.navigation.roles,
    group: text.navigation.people,
    permissions: ['role:read'],
    show: () => <Roles />,
  },
  {
    path: '/api-keys',
    label: text.navigation.apiKeys,
    group: text.navigation.people,
    permissions: ['apiKey:read'],
    show: () => <ApiKeys />,
  },
  {
    path: '/settings',
    label: text.navigation.settings,
    group: text.navigation.people,
    permissions: ['setting:read'],
    show: () => <Settings />,
  },
  {
    path: '/single-sign-on',
    label: text.access.sso.title,
    group: text.navigation.people,
    permissions: ['sso:read'],
    show: () => <SingleSignOn />,
  },
  {
    path: '/account',
    label: text.navigation.account,
    group: text.navigation.people,
    permissions: [],
    show: () => <Account />,
  },
  ...webhookPages,
  {
    path: '/tenants',
    label: text.navigation.tenants,
    group: text.navigation.operation,
    permissions: ['tenant:read'],
    show: () => <Tenants />,
  },
  ...operatorPages,
  {
    path: '/jobs',
    label: text.navigation.jobs,
    group: text.navigation.operation,
    permissions: ['job:read'],
    show: () => <Jobs />,
  },
  {
    path: '/mails',
    label: text.navigation.mails,
    group: text.navigation.operation,
    permissions: ['mail:read'],
    show: () => <Mails />,
  },
  {
    path: '/audit',
    label: text.navigation.audit,
    group: text.navigation.operation,
    permissions: ['audit:read', 'audit:read-all'],
    show: () => <Audit />,
  },
  {
    path: '/developers',
    label: text.navigation.developers,
    group: text.navigation.operation,
    permissions: [],
    show: () => <Developers />,
  },
]

export function PageContent({ path }: { path: string }) {
  const app = useApp()
  if (path === '/') return <HomePage />
  const [, section, name, part, ...rest] = path.split('/')
  if (section === 'entities' && rest.length === 0) {
    const entity = app.entities.find((each) => each.name === name)
    if (entity === undefined) return <NotFound />
    if (part === undefined) return <EntityList key={entity.name} entity={entity} />
    if (part === 'new') return <NewRow key={entity.name} entity={entity} />
    if (part === 'import') return <ImportPage key={entity.name} entity={entity} />
    return <RowDetail key={part} entity={entity} id={part} />
  }
  const page = pages.find((each) => path === each.path || path.startsWith(`${each.path}/`))
  if (page === undefined || !isShown(page, app)) return <NotFound />
  return <>{page.show()}</>
}

function NotFound() {
  return (
    <div class="notice" role="alert">
      <h1>{text.state.notFound}</h1>
    </div>
  )
}
