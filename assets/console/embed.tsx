/**
 * The webhook pages that an application embeds for a customer of a tenant (the webhook portal): a navigation of their
 * own, instead of the frame of the console.
 */
import { useEffect, useState } from 'preact/hooks'
import { get } from './api.ts'
import { type App, AppContext } from './app-context.ts'
import { loadBrand, useBrand } from './brand.ts'
import { BrandTile } from './component/brand-tile.tsx'
import { Loading } from './component/loading.tsx'
import { ErrorNotice } from './component/notice.tsx'
import DeliveryPages from './page/webhook/deliveries.tsx'
import SubscriptionPages from './page/webhook/subscriptions.tsx'
import { type PortalSession, portalToken } from './portal.ts'
import { hrefOf, usePlace } from './router.ts'
import { onSessionEnd } from './session.ts'
import { text } from './text/text.ts'

type State =
  | { kind: 'loading' }
  /** The session of the portal has ended. */
  | { kind: 'over' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'open'; app: App }

export function Embedded() {
  const [state, setState] = useState<State>({ kind: 'loading' })
  const load = () => {
    loadState().then(setState, (error: unknown) =>
      // The token is forgotten when the service has refused it.
      setState(portalToken() === null ? { kind: 'over' } : { kind: 'failed', error }),
    )
  }
  useEffect(() => {
    load()
    return onSessionEnd(() => setState({ kind: 'over' }))
  }, [])
  if (state.kind === 'open')
    return (
      <AppContext.Provider value={state.app}>
        <Pages />
      </AppContext.Provider>
    )
  return (
    <main class="stack">
      {state.kind === 'loading' && <Loading />}
      {state.kind === 'over' && (
        <p class="notice" role="alert">
          {text.webhook.portal.over}
        </p>
      )}
      {state.kind === 'failed' && <ErrorNotice error={state.error} retry={load} />}
    </main>
  )
}

function Pages() {
  const { path } = usePlace()
  const brand = useBrand()
  const isOfDeliveries = path === '/deliveries' || path.startsWith('/deliveries/')
  const links = [
    ['/subscriptions', text.navigation.subscriptions, !isOfDeliveries],
    ['/deliveries', text.navigation.deliveries, isOfDeliveries],
  ] as const
  return (
    <>
      <nav class="top" aria-label={text.navigation.label}>
        {brand !== null && (
          <span class="portal-brand">
            <BrandTile brand={brand} name={brand.name} />
            <strong class="truncate">{brand.name}</strong>
          </span>
        )}
        {links.map(([to, label, isCurrent]) => (
          <a key={to} class="tab" href={hrefOf(to)} aria-current={isCurrent ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <main id="content" tabIndex={-1}>
        {isOfDeliveries ? <DeliveryPages /> : <SubscriptionPages />}
      </main>
    </>
  )
}

async function loadState(): Promise<State> {
  if (portalToken() === null) return { kind: 'over' }
  const [portal] = await Promise.all([
    get<PortalSession>('/api/webhooks/portal-sessions/current'),
    loadBrand(),
  ])
  const granted = portal.readOnly ? ['webhook:read'] : ['webhook:read', 'webhook:write', 'event:read']
  // The customer is no user of the tenant. The pages ask for permissions alone.
  const nobody = { id: '', userName: '', firstName: '', lastName: '', tenantId: '', roles: [] }
  return {
    kind: 'open',
    app: {
      user: { ...nobody, permissions: granted },
      entities: [],
      frames: [],
      can: (permission) => granted.includes(permission),
      portal,
    },
  }
}
