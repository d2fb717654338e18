/** The pages of the console, and who finds them in the navigation. */
import { isShown } from './access.ts'
import { useApp } from './app-context.ts'
import type { ConsolePage } from './console-page.ts'
import { lazy } from './lazy.tsx'
import { operatorPages } from './operator-pages.tsx'
import { HomePage } from './page/home/home.tsx'
import { text } from './text/text.ts'

const EntityList = lazy(async () => (await import('./entity/pages.ts')).rowPages.EntityList)
const NewRow = lazy(async () => (await import('./entity/pages.ts')).rowPages.NewRow)
const RowDetail = lazy(async () => (await import('./entity/pages.ts')).rowPages.RowDetail)
const ImportPage = lazy(async () => (await import('./entity/import/import.tsx')).ImportPage)
const Users = lazy(async () => (await import('./page/access.ts')).accessPages.UsersPage)
const Roles = lazy(async () => (await import('./page/access.ts')).accessPages.RolesPage)
const ApiKeys = lazy(async () => (await import('./page/access.ts')).accessPages.ApiKeysPage)
const Invitations = lazy(async () => (await import('./page/access.ts')).accessPages.InvitationsPage)
const Settings = lazy(async () => (await import('./page/operate.ts')).operatePages.SettingsPage)
const SingleSignOn = lazy(async () => (await import('./page/access.ts')).accessPages.SingleSignOnPage)
const Jobs = lazy(async () => (await import('./page/operate.ts')).operatePages.JobsPage)
const Mails = lazy(async () => (await import('./page/operate.ts')).operatePages.MailsPage)
const Account = lazy(async () => (await import('./page/access.ts')).accessPages.AccountPage)
const Audit = lazy(async () => (await import('./page/operate.ts')).operatePages.AuditPage)
const Subscriptions = lazy(async () => (await import('./page/webhook.ts')).webhookPages.SubscriptionsPage)
const Deliveries = lazy(async () => (await import('./page/webhook.ts')).webhookPages.DeliveriesPage)
const PortalSessions = lazy(async () => (await import('./page/webhook.ts')).webhookPages.PortalSessionsPage)
const Developers = lazy(async () => (await import('./page/developers.tsx')).default)
const Providers = lazy(async () => (await import('./page/webhook.ts')).webhookPages.ProvidersPage)
const Rules = lazy(async () => (await import('./page/webhook.ts')).webhookPages.RulesPage)
const Receipts = lazy(async () => (await import('./page/webhook.ts')).webhookPages.ReceiptsPage)

const inSettings = (group: string) => ({ area: 'settings', group }) as const
const people = inSettings(text.navigation.people)
const webhooks = inSettings(text.navigation.webhooks)
const ofTenant = inSettings(text.navigation.ofTenant)
const outgoing = { ...webhooks, permissions: ['webhook:read'] }
const incoming = { ...webhooks, permissions: ['incomingWebhook:read'] }

const peoplePages: readonly ConsolePage[] = [
  {
    ...people,
    path: '/users',
    label: text.navigation.users,
    permissions: ['user:read'],
    show: () => <Users />,
  },
  {
    ...people,
    path: '/invitations',
    label: text.navigation.invitations,
    permissions: ['invitation:read'],
    show: () => <Invitations />,
  },
  {
    ...people,
    path: '/roles',
    label: text.navigation.roles,
    permissions: ['role:read'],
    show: () => <Roles />,
  },
  {
    ...people,
    path: '/api-keys',
    label: text.navigation.apiKeys,
    permissions: ['apiKey:read'],
    show: () => <ApiKeys />,
  },
  {
    ...people,
    path: '/single-sign-on',
    label: text.access.sso.title,
    permissions: ['sso:read'],
    show: () => <SingleSignOn />,
  },
]

const webhookPages: readonly ConsolePage[] = [
  {
    ...outgoing,
    path: '/subscriptions',
    label: text.navigation.subscriptions,
    show: () => <Subscriptions />,
  },
  { ...outgoing, path: '/deliveries', label: text.navigation.deliveries, show: () => <Deliveries /> },
  {
    ...webhooks,
    path: '/portal-sessions',
    label: text.webhook.portal.title,
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

const tenantPages: readonly ConsolePage[] = [
  {
    ...ofTenant,
    path: '/settings',
    label: text.navigation.general,
    permissions: ['setting:read'],
    show: () => <Settings />,
  },
  {
    ...ofTenant,
    path: '/mails',
    label: text.navigation.mails,
    permissions: ['mail:read'],
    show: () => <Mails />,
  },
  {
    ...ofTenant,
    path: '/audit',
    label: text.navigation.audit,
    permissions: ['audit:read', 'audit:read-all'],
    show: () => <Audit />,
  },
  {
    ...ofTenant,
    path: '/jobs',
    label: text.navigation.jobs,
    permissions: ['job:read'],
    show: () => <Jobs />,
  },
]

/** In the order of the navigation. */
export const pages: readonly ConsolePage[] = [
  ...peoplePages,
  ...webhookPages,
  ...tenantPages,
  {
    ...inSettings(text.navigation.you),
    path: '/account',
    label: text.navigation.account,
    permissions: [],
    show: () => <Account />,
  },
  ...operatorPages,
  {
    area: 'developers',
    path: '/developers',
    label: text.navigation.developers,
    group: text.navigation.developers,
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
