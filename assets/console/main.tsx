/**
 * Starts the console: it asks for the first administrator, or for a sign-in, or shows the pages of the signed-in
 * user.
 */
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { get, sayErrors } from './api.ts'
import { type App, AppContext, type CurrentUser, nameOf } from './app-context.ts'
import { loadBrand } from './brand.ts'
import { exchangeCode } from './code-exchange.ts'
import { Loading } from './component/loading.tsx'
import { ErrorNotice } from './component/notice.tsx'
import { OfflineBanner } from './component/offline-banner.tsx'
import { Toasts } from './component/toast.tsx'
import { onReturn } from './connection.ts'
import type { EntityDescription } from './describe.ts'
import { loadFrames } from './frame/frames.ts'
import { PageContent } from './page-content.tsx'
import { Embedded, loadPages } from './pages.ts'
import { isEmbedded } from './portal.ts'
import { forgetBatches } from './read-together.ts'
import { usePlace } from './router.ts'
import { hasSession, nameSession, onSessionEnd } from './session.ts'
import { Frame } from './shell/frame.tsx'
import { BeginPage } from './sign-in/begin.tsx'
import { SignInPage } from './sign-in/sign-in.tsx'
import { language, text } from './text/text.ts'
import { applyTheme } from './theme.ts'

type State =
  | { kind: 'loading' }
  | { kind: 'begin'; needsSetupToken: boolean }
  | { kind: 'signedOut'; hasEnded: boolean }
  | { kind: 'signedIn'; app: App }
  | { kind: 'failed'; error: unknown }

function Console() {
  const [state, setState] = useState<State>({ kind: 'loading' })
  const { path } = usePlace()
  const load = () => {
    const hadSession = hasSession()
    loadState(path).then(setState, (error: unknown) => {
      // If the session has ended meanwhile, the sign-in is shown already.
      if (!hadSession || hasSession()) setState({ kind: 'failed', error })
    })
  }
  useEffect(() => (state.kind === 'failed' ? onReturn(load) : undefined), [state.kind])
  useEffect(() => {
    load()
    return onSessionEnd(() => {
      forgetBatches()
      setState({ kind: 'signedOut', hasEnded: true })
    })
  }, [])
  switch (state.kind) {
    case 'loading':
      return (
        <main>
          <Loading />
        </main>
      )
    case 'begin':
      return <BeginPage onSignedIn={load} needsSetupToken={state.needsSetupToken} />
    case 'signedOut':
      return <SignInPage onSignedIn={load} hasEnded={state.hasEnded} />
    case 'failed':
      return (
        <main class="narrow">
          <ErrorNotice error={state.error} retry={load} />
        </main>
      )
    default:
      return (
        <AppContext.Provider value={state.app}>
          <Frame>
            <PageContent path={path} />
          </Frame>
        </AppContext.Provider>
      )
  }
}

interface InitStatus {
  needsInitialization: boolean
  needsSetupToken: boolean
}

async function loadState(path: string): Promise<State> {
  await exchangeCode(new URL(location.href))
  if (hasSession()) {
    // Loads the code of the pages while data loads. If this fails, the page reports it.
    if (path !== '/') loadPages().catch(() => undefined)
    const [user, entities, frames] = await Promise.all([
      get<CurrentUser>('/api/auth/me'),
      get<EntityDescription[]>('/api/entities'),
      loadFrames(),
    ])
    void nameOwnSession(user)
    const named = entities.map((entity) => ({ ...entity, times: text.list.times }))
    const granted = new Set(user.permissions)
    const can = (permission: string) => granted.has(permission)
    return { kind: 'signedIn', app: { user, entities: named, frames, can } }
  }
  const { needsInitialization, needsSetupToken } = await get<InitStatus>('/api/init/status')
  return needsInitialization ? { kind: 'begin', needsSetupToken } : { kind: 'signedOut', hasEnded: false }
}

/** Stores the names of user and tenant with the session, for the list of the sessions of this browser. */
async function nameOwnSession(user: CurrentUser): Promise<void> {
  const brand = await loadBrand()
  if (user.impersonator !== undefined) return
  const { id, tenantId } = user
  nameSession({ id, name: nameOf(user), tenantId, tenant: brand?.name ?? tenantId })
}

sayErrors(text.state)
applyTheme()
document.documentElement.lang = language
const root = document.getElementById('console')
if (root !== null)
  render(
    <>
      <OfflineBanner />
      <Toasts />
      {isEmbedded ? <Embedded /> : <Console />}
    </>,
    root,
  )
