/** The bar above the page: breadcrumbs, the buttons of the page, and a menu to copy its requests to the API. */
import { ChevronRight, Menu as MenuIcon } from 'lucide'
import { Fragment } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { useApp } from '../app-context.ts'
import { CopyRequests } from '../component/copy-request.tsx'
import { Icon } from '../component/icon.tsx'
import { capital } from '../describe.ts'
import { lastListHref } from '../entity/last-list.ts'
import { hrefOf } from '../router.ts'
import { text } from '../text/text.ts'
import { pageAt } from './area.ts'
import { StarButton } from './star-button.tsx'
import { useTenantName } from './tenant-tile.tsx'
import { useShownTitle } from './title.ts'
import { useShownActions } from './top-actions.ts'
import { noteVisit } from './visits.ts'

interface TopBarProps {
  path: string
  isMenuOpen: boolean
  onMenu: () => void
}

export function TopBar({ path, isMenuOpen, onMenu }: TopBarProps) {
  const crumbs = useCrumbs(path)
  return (
    <header class="top">
      <button
        type="button"
        class="menu-button only-icon plain"
        aria-expanded={isMenuOpen}
        aria-label={text.navigation.menu}
        onClick={onMenu}
      >
        <Icon node={MenuIcon} />
      </button>
      <Crumbs path={path} crumbs={crumbs} />
      <span class="top-end">
        {useShownActions()}
        <StarButton label={isWhole(path, crumbs) ? (crumbs.at(-1)?.label ?? null) : null} />
        <CopyRequests />
      </span>
    </header>
  )
}

function Crumbs({ path, crumbs }: { path: string; crumbs: readonly Crumb[] }) {
  const { user } = useApp()
  const tenant = useTenantName()
  const [last] = crumbs.slice(-1)
  const isNoted = isWhole(path, crumbs)
  useLayoutEffect(() => {
    document.title = [last?.label, tenant].filter((each) => each !== undefined).join(' · ')
    if (last !== undefined && isNoted) noteVisit(user.id, { path, label: last.label })
  }, [last?.label, tenant, user.id, path, isNoted])
  if (crumbs.length === 0) return <span class="crumbs" />
  return (
    <nav class="crumbs" aria-label={text.navigation.crumbs}>
      {crumbs.map(({ label, href }, index) => (
        <Fragment key={href ?? label}>
          {index > 0 && <Icon node={ChevronRight} />}
          {href === null || index === crumbs.length - 1 ? (
            <span class="truncate" aria-current={index === crumbs.length - 1 ? 'page' : undefined}>
              {label}
            </span>
          ) : (
            <a href={href}>{label}</a>
          )}
        </Fragment>
      ))}
    </nav>
  )
}

/** Whether the last crumb is already that of this page: the title of a row comes with the row. */
function isWhole(path: string, crumbs: readonly Crumb[]): boolean {
  const [last] = crumbs.slice(-1)
  if (last === undefined || path.endsWith('/new') || path.endsWith('/import')) return false
  return last.href === null || last.href.split('?')[0] === hrefOf(path)
}

interface Crumb {
  label: string
  href: string | null
}

function useCrumbs(path: string): Crumb[] {
  const { entities } = useApp()
  const title = useShownTitle()
  const own = title === '' ? [] : [{ label: title, href: null }]
  const [, section, name] = path.split('/')
  const entity = section === 'entities' ? entities.find((each) => each.name === name) : undefined
  if (entity !== undefined)
    return [{ label: capital(entity.labels), href: lastListHref(entity.name) }, ...own]
  const page = pageAt(path)
  if (page === undefined) return own
  const group = page.area === 'developers' ? [] : [{ label: page.group, href: null }]
  return [...group, { label: page.label, href: hrefOf(page.path) }, ...own]
}
