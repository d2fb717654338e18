/** The sidebar: first the entities of the application by group, below them the areas and the signed-in user. */
import type { IconNode } from 'lucide'
import { ChevronDown, House, Search, Server, Settings, SquareTerminal, Star } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useApp } from '../app-context.ts'
import { Icon } from '../component/icon.tsx'
import { capital } from '../describe.ts'
import { framesAt } from '../frame/frames.ts'
import { usePreference } from '../preference.ts'
import { hrefOf, usePlace } from '../router.ts'
import { text } from '../text/text.ts'
import { areaAt, startOf } from './area.ts'
import { groupsOf } from './entity-groups.ts'
import { iconOf } from './entity-icon.ts'
import type { Favourite } from './favourite.ts'
import { useFavourites } from './favourites.ts'
import { openPalette } from './open-palette.ts'
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
          <Favourites />
          <Entities path={path} />
          <OwnPages path={path} />
        </div>
        <Areas path={path} />
        <UserMenu />
      </nav>
    </>
  )
}

/** The favourites. Alt with an arrow key moves the focused one. */
function Favourites() {
  const { favourites, move } = useFavourites()
  const { path, query } = usePlace()
  if (favourites.length === 0) return null
  const words = query.toString()
  const here = words === '' ? path : `${path}?${words}`
  const press = (event: KeyboardEvent, favourite: Favourite) => {
    const by = event.altKey ? ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key] : undefined
    if (by === undefined) return
    event.preventDefault()
    move(favourite.path, by)
  }
  return (
    <Group name="favourites" label={text.home.favourites}>
      {favourites.map((favourite) => (
        <Entry
          key={favourite.path}
          href={favourite.path}
          label={favourite.label}
          icon={Star}
          isCurrent={favourite.path === here}
          onKeyDown={(event) => press(event, favourite)}
        />
      ))}
    </Group>
  )
}

interface GroupProps {
  /** The name of the preference that stores whether the group is folded. */
  name: string
  label: string
  children: ComponentChildren
}

function Group({ name, label, children }: GroupProps) {
  const { user } = useApp()
  const [value, set] = usePreference(user.id, 'sidebar.folded')
  const folded = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
  const isFolded = folded.includes(name)
  const fold = () => set(isFolded ? folded.filter((each) => each !== name) : [...folded, name])
  return (
    <div>
      <h2>
        <button type="button" class="plain" aria-expanded={!isFolded} onClick={fold}>
          {label}
          <Icon node={ChevronDown} />
        </button>
      </h2>
      {!isFolded && <ul>{children}</ul>}
    </div>
  )
}

function Entities({ path }: { path: string }) {
  const { entities } = useApp()
  return (
    <>
      {groupsOf(entities).map(([group, members]) => (
        <Group key={group} name={group} label={group}>
          {members.map((entity) => {
            const href = `/entities/${entity.name}`
            return (
              <Entry
                key={entity.name}
                href={href}
                label={capital(entity.labels)}
                icon={iconOf(entity.console?.iconPath)}
                isCurrent={path === href || path.startsWith(`${href}/`)}
              />
            )
          })}
        </Group>
      ))}
    </>
  )
}

/** The pages that the application declares. */
function OwnPages({ path }: { path: string }) {
  const pages = framesAt(useApp(), 'page')
  if (pages.length === 0) return null
  return (
    <ul>
      {pages.map(({ name, label, iconPath }) => {
        const href = `/pages/${name}`
        const node = iconOf(iconPath)
        return <Entry key={name} href={href} label={label} icon={node} isCurrent={path === href} />
      })}
    </ul>
  )
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
  onKeyDown?: (event: KeyboardEvent) => void
}

function Entry({ href, label, icon, isCurrent, onKeyDown }: EntryProps) {
  return (
    <li>
      <a href={hrefOf(href)} onKeyDown={onKeyDown} aria-current={isCurrent ? 'page' : undefined}>
        <Icon node={icon} />
        <span class="truncate">{label}</span>
      </a>
    </li>
  )
}
