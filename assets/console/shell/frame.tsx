/**
 * The frame around every page: the sidebar, the pages of an area, the bar above the page, and the banner while
 * acting as another user.
 */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ActingBanner } from '../component/acting-banner.tsx'
import { usePlace } from '../router.ts'
import { text } from '../text/text.ts'
import { areaAt } from './area.ts'
import { AreaPages } from './area-pages.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { PaletteKeys } from './palette.tsx'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'

/** Whether a list is at the path. A list has its own heading, whose room is reserved while it is loaded. */
function isListAt(path: string): boolean {
  return /^\/entities\/[^/]+$/.test(path)
}

export function Frame({ children }: { children: ComponentChildren }) {
  const { path } = usePlace()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const content = useRef<HTMLElement>(null)
  useEffect(() => setMenuOpen(false), [path])
  const area = areaAt(path)
  return (
    <div class={area === null ? 'shell' : 'shell has-area'} data-area={area ?? undefined}>
      <button type="button" class="skip" onClick={() => content.current?.focus()}>
        {text.navigation.skip}
      </button>
      <PaletteKeys />
      <Sidebar path={path} isOpen={isMenuOpen} onClose={() => setMenuOpen(false)} />
      <div class="column">
        <ActingBanner />
        <div class="area">
          {area !== null && <AreaPages area={area} path={path} />}
          <div class={isListAt(path) ? 'content is-list' : 'content'}>
            <TopBar path={path} isMenuOpen={isMenuOpen} onMenu={() => setMenuOpen(!isMenuOpen)} />
            <main id="content" tabIndex={-1} ref={content}>
              {children}
            </main>
          </div>
        </div>
      </div>
      <BottomBar path={path} onMenu={() => setMenuOpen(true)} />
    </div>
  )
}
