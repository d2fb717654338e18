/** The application first: its rows by group; below them the areas, and who is signed in. */
import type { IconNode } from 'lucide'
import { House, Search, Server, Settings, SquareTerminal } from 'lucide'
import { useApp } from '../app-context.ts'
import { Icon } from '../component/icon.tsx'
import { capital, type EntityDescription } from '../describe.ts'
import { hrefOf } from '../router.ts'
import { text } from '../text/text.ts'
import { areaAt, startOf } from './area.ts'
import { iconOf } from './entity-icon.ts'
import { openPalette } from './palette.tsx'
import { TenantTile } from './tenant-tile.tsx'
import { UserMenu } from './user-menu.tsx'

interface SidebarProps {
  path: string
  isOpen: boolean
  onClose: () => void
}

export function Sidebar({ path, isOpen, onClose }: SidebarProps) {
  return (
    <>
      {isOpen && <button type="button" class="veil" aria-label={text.action.close} onClick={onClose} />}
      <nav class={isOpen ? 'sidebar is-open' : 'sidebar'} aria-label={text.navigation.label}>
        <TenantTile />
        <button type="button" class="search-button" aria-keyshortcuts="Control+K" onClick={openPalette}>
          <Icon node={Search} />
          <span>{text.navigation.palette}</span>
          <span class="key" aria-hidden="true">
            {`${text.navigation.keyControl} K`}
          </span>
        </button>
        <div class="entries">
          <ul>
            <Entry href="/" label={text.navigation.home} icon={House} isCurrent={path === '/'} />
          </ul>
          <Entities path={path} />
        </div>
        <Areas path={path} />
        <UserMenu />
      </nav>
    </>
  )
}

function Entities({ path }: { path: string }) {
  const { entities } = useApp()
  return (
    <>
      {groupsOf(entities).map(([group, members]) => (
        <div key={group}>
          <h2>{group}</h2>
          <ul>
            {members.map((entity) => {
              const href = `/entities/${entity.name}`
              return (
                <Entry
                  key={entity.name}
                  href={href}
                  label={capital(entity.labels)}
                  icon={iconOf(entity)}
                  isCurrent={path === href || path.startsWith(`${href}/`)}
                />
              )
            })}
          </ul>
        </div>
      ))}
    </>
  )
}

/** Those without a group come last. */
function groupsOf(entities: readonly EntityDescription[]): [string, EntityDescription[]][] {
  const groups = new Map<string, EntityDescription[]>()
  for (const entity of entities) {
    if (entity.console?.hidden === 'navigation') continue
    const group = entity.console?.group ?? text.navigation.entities
    groups.set(group, [...(groups.get(group) ?? []), entity])
  }
  return [...groups].toSorted(([one], [other]) => rankOf(one) - rankOf(other))
}

function rankOf(group: string): number {
  return group === text.navigation.entities ? 1 : 0
}

const areas = [
  ['settings', Settings],
  ['operate', Server],
  ['developers', SquareTerminal],
] as const

function Areas({ path }: { path: string }) {
  const app = useApp()
  return (
    <ul class="areas">
      {areas.map(([area, icon]) => {
        const start = startOf(area, app)
        if (start === null) return null
        const isCurrent = areaAt(path) === area || path.startsWith(`/${area}`)
        return (
          <Entry
            key={area}
            href={start}
            label={text.navigation.areas[area]}
            icon={icon}
            isCurrent={isCurrent}
          />
        )
      })}
    </ul>
  )
}

interface EntryProps {
  href: string
  label: string
  icon: IconNode
  isCurrent: boolean
}

function Entry({ href, label, icon, isCurrent }: EntryProps) {
  return (
    <li>
      <a href={hrefOf(href)} aria-current={isCurrent ? 'page' : undefined}>
        <Icon node={icon} />
        <span class="truncate">{label}</span>
      </a>
    </li>
  )
}
