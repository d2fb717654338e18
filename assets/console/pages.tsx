/** The pages of the console, and who finds them in the navigation. */
import type { ComponentChildren } from 'preact'
import { useApp } from './app-context.ts'
import { NewRow, RowDetail } from './entity/detail.tsx'
import { ImportPage } from './entity/import.tsx'
import { EntityList } from './entity/list.tsx'
import { lazy } from './lazy.tsx'
import { DevelopersPage } from './page/developers.tsx'
import { HomePage } from './page/home.tsx'
import { text } from './text/text.ts'

export interface ConsolePage {
  path: string
  label: string
  group: string
  /** Any of them shows the page; none: everybody sees it. */
  permissions: readonly string[]
  show: () => ComponentChildren
}

const outgoing = { group: text.navigation.webhooks, permissions: ['webhook:read'] }
const incoming = { group: text.navigation.webhooks, permissions: ['incomingWebhook:read'] }

const webhookPages: readonly ConsolePage[] = [
  {
    ...outgoing,
    path: '/subscriptions',
    label: text.navigation.subscriptions,
    show: lazy(() => import('./page/webhook/subscriptions.tsx')),
  },
  {
    ...outgoing,
    path: '/deliveries',
    label: text.navigation.deliveries,
    show: lazy(() => import('./page/webhook/deliveries.tsx')),
  },
  {
    ...incoming,
    path: '/providers',
    label: text.webhook.provider.title,
    show: lazy(() => import('./page/webhook/providers.tsx')),
  },
  {
    ...incoming,
    path: '/rules',
    label: text.navigation.rules,
    show: lazy(() => import('./page/webhook/rules.tsx')),
  },
  {
    ...incoming,
    path: '/receipts',
    label: text.navigation.receipts,
    show: lazy(() => import('./page/webhook/receipts.tsx')),
  },
]

export const pages: readonly ConsolePage[] = [
  ...webhookPages,
  {
    path: '/developers',
    label: text.navigation.developers,
    group: text.navigation.operation,
    permissions: [],
    show: () => <DevelopersPage />,
  },
]

export function PageContent({ path }: { path: string }) {
  const { entities, can } = useApp()
  if (path === '/') return <HomePage />
  const [, section, name, part, ...rest] = path.split('/')
  if (section === 'entities' && rest.length === 0) {
    const entity = entities.find((each) => each.name === name)
    if (entity === undefined) return <NotFound />
    if (part === undefined) return <EntityList key={entity.name} entity={entity} />
    if (part === 'new') return <NewRow key={entity.name} entity={entity} />
    if (part === 'import') return <ImportPage key={entity.name} entity={entity} />
    return <RowDetail key={part} entity={entity} id={part} />
  }
  const page = pages.find((each) => path === each.path || path.startsWith(`${each.path}/`))
  if (page === undefined || (page.permissions.length > 0 && !page.permissions.some(can))) return <NotFound />
  return <>{page.show()}</>
}

function NotFound() {
  return (
    <p class="notice" role="alert">
      {text.state.notFound}
    </p>
  )
}
