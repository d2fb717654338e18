/** The second column of the console: links to the pages of the settings, or of operation. */
import { useEffect, useRef } from 'preact/hooks'
import { useApp } from '../app-context.ts'
import type { Area } from '../console-page.ts'
import { hrefOf } from '../router.ts'
import { text } from '../text/text.ts'
import { pagesIn } from './area.ts'

export function AreaPages({ area, path }: { area: Area; path: string }) {
  const app = useApp()
  const element = useRef<HTMLElement>(null)
  // On a phone the links are in one line, which is scrolled to the current one.
  useEffect(() => {
    const current = element.current?.querySelector('[aria-current]')
    current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [path])
  return (
    <nav ref={element} class="area-pages" aria-label={text.navigation.areas[area]}>
      <h2>{text.navigation.areas[area]}</h2>
      {pagesIn(area, app).map(([group, pages]) => (
        <div key={group}>
          <h3>{group}</h3>
          <ul>
            {pages.map((page) => (
              <li key={page.path}>
                <a
                  href={hrefOf(page.path)}
                  aria-current={path === page.path || path.startsWith(`${page.path}/`) ? 'page' : undefined}
                >
                  {page.label}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
