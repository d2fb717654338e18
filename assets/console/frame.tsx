/** What is around every page: the navigation, who is signed in, and the way to any page by its name. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { isShown } from './access.ts'
import { request } from './api.ts'
import { useApp } from './app-context.ts'
import { ActingBanner } from './component/acting-banner.tsx'
import { CopyRequests } from './component/copy-request.tsx'
import { capital } from './describe.ts'
import { pages } from './pages.tsx'
import { type NavigationLink, Palette } from './palette.tsx'
import { hrefOf, usePlace } from './router.ts'
import { endSession, refreshToken } from './session.ts'
import { chooseLanguage, language, languages, text } from './text/text.ts'
import { chooseTheme, type Theme, theme, themes } from './theme.ts'

export function Frame({ children }: { children: ComponentChildren }) {
  const { user } = useApp()
  const { path } = usePlace()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const content = useRef<HTMLElement>(null)
  useEffect(() => setMenuOpen(false), [path])
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={() => content.current?.focus()}>
        {text.navigation.skip}
      </button>
      <nav class={isMenuOpen ? 'side is-open' : 'side'} aria-label={text.navigation.label}>
        <Navigation path={path} />
        <Preferences />
      </nav>
      <div>
        <header class="top">
          <button
            type="button"
            class="menu-button"
            aria-expanded={isMenuOpen}
            onClick={() => setMenuOpen(!isMenuOpen)}
          >
            {text.navigation.menu}
          </button>
          <Palette links={useLinks().flatMap(([, links]) => links)} />
          <CopyRequests />
          <span class="who">
            {user.userName} · {user.tenantId}
          </span>
        </header>
        <ActingBanner />
        <main id="content" tabIndex={-1} ref={content}>
          {children}
        </main>
      </div>
    </div>
  )
}

function Navigation({ path }: { path: string }) {
  return (
    <>
      <a class="brand" href={hrefOf('/')}>
        Tenantry
      </a>
      {useLinks().map(([group, links]) => (
        <div key={group}>
          <h2>{group}</h2>
          <ul>
            {links.map(({ href, label }) => {
              const isCurrent = hrefOf(path) === href || hrefOf(path).startsWith(`${href}/`)
              return (
                <li key={href}>
                  <a href={href} aria-current={isCurrent ? 'page' : undefined}>
                    {label}
                  </a>
                </li>
              )
            })}
          </ul>
        </div>
      ))}
    </>
  )
}

function useLinks(): [group: string, links: NavigationLink[]][] {
  const app = useApp()
  const groups = new Map<string, NavigationLink[]>()
  const add = (group: string, link: NavigationLink) => groups.set(group, [...(groups.get(group) ?? []), link])
  for (const { name, labels } of app.entities)
    add(text.navigation.entities, { href: hrefOf(`/entities/${name}`), label: capital(labels) })
  for (const page of pages)
    if (isShown(page, app)) add(page.group, { href: hrefOf(page.path), label: page.label })
  return [...groups]
}

function Preferences() {
  return (
    <div class="stack preferences">
      <select
        aria-label={text.navigation.theme}
        value={theme()}
        onChange={(event) => chooseTheme(event.currentTarget.value as Theme)} // one of the options
      >
        {themes.map((each) => (
          <option key={each} value={each}>
            {text.navigation.themes[each]}
          </option>
        ))}
      </select>
      <select
        aria-label={text.navigation.language}
        value={language}
        onChange={(event) => chooseLanguage(event.currentTarget.value)}
      >
        {Object.entries(languages).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
      <button type="button" onClick={() => void signOut()}>
        {text.navigation.signOut}
      </button>
    </div>
  )
}

/** The session ends here even if the service does not answer. */
async function signOut(): Promise<void> {
  try {
    await request('POST', '/api/auth/logout', { body: { refreshToken: refreshToken() } })
  } finally {
    endSession()
  }
}
